import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { camelCased, snakeCased } from './kernel/case.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const fields = graphql(`
  fragment ApplicationSettingsFields on ApplicationSettings {
    id createdAt updatedAt defaultProjectsLimit signupEnabled passwordAuthenticationEnabled
    avatarServiceEnabled signInText homePageUrl defaultBranchProtection restrictedVisibilityLevels
    maxAttachmentSize maxArtifactsSize defaultArtifactsExpireIn sessionExpireDelay
    defaultProjectVisibility defaultSnippetVisibility defaultGroupVisibility domainWhitelist domainBlacklistEnabled domainBlacklist
    userOauthApplications afterSignOutPath containerRegistryTokenExpireDelay
    repositoryStorages enabledGitAccessProtocol cloudideEnabled cloudideUrl
    disabledOauthSignInSources diagramsEnabled diagramsUrl terminalMaxSessionTime
    pollingIntervalMultiplier rsaKeyRestriction dsaKeyRestriction ecdsaKeyRestriction
    ed25519KeyRestriction circuitbreakerAccessRetries circuitbreakerBackoffThreshold
    circuitbreakerFailureCountThreshold circuitbreakerFailureResetTime circuitbreakerFailureWaitTime
    circuitbreakerStorageTimeout
  }
`);

/** An empty list is shown as null. */
const orNull = <Item>(items: readonly Item[]) => (items.length > 0 ? items : null);

/** `1` → `"1.0"`: typed clients expect decimals as text with a fraction. */
const decimalText = new Intl.NumberFormat('en', {
  useGrouping: false,
  minimumFractionDigits: 1,
  maximumFractionDigits: 100,
});

const settings = (stored: ResultOf<typeof fields>) => ({
  ...snakeCased(stored),
  restricted_visibility_levels: orNull(stored.restrictedVisibilityLevels),
  domain_whitelist: orNull(stored.domainWhitelist),
  domain_blacklist: orNull(stored.domainBlacklist),
  polling_interval_multiplier: decimalText.format(stored.pollingIntervalMultiplier),
});

const visibility = ['private', 'internal', 'public'] as const;

/** One of a few numbers. */
const number = (...allowed: readonly number[]) =>
  p.int().refine((value) => allowed.includes(value), { message: 'does not have a valid value' });

const text = () => p.orNone(p.text());

/**
 * The settable parameters, in the order of the specification's table, which error messages keep.
 */
const settable = {
  default_projects_limit: p.int().optional(),
  signup_enabled: p.flag().optional(),
  password_authentication_enabled: p.flag().optional(),
  avatar_service_enabled: p.flag().optional(),
  sign_in_text: text().optional(),
  home_page_url: text().optional(),
  default_branch_protection: number(0, 1, 2).optional(),
  restricted_visibility_levels: p.orNone(p.choices(visibility)).optional(),
  max_attachment_size: p.int().optional(),
  session_expire_delay: p.int().optional(),
  default_project_visibility: p.choice(visibility).optional(),
  default_snippet_visibility: p.choice(visibility).optional(),
  default_group_visibility: p.choice(visibility).optional(),
  domain_whitelist: p.orNone(p.words()).optional(),
  domain_blacklist_enabled: p.flag().optional(),
  domain_blacklist: p.orNone(p.words()).optional(),
  user_oauth_applications: p.flag().optional(),
  after_sign_out_path: text().optional(),
  container_registry_token_expire_delay: p.int().optional(),
  repository_storages: p.list().optional(),
  enabled_git_access_protocol: p.orNone(p.choice(['ssh', 'http', 'nil'])).optional(),
  cloudide_enabled: p.flag().optional(),
  cloudide_url: text().optional(),
  disabled_oauth_sign_in_sources: p.orNone(p.list()).optional(),
  diagrams_enabled: p.flag().optional(),
  diagrams_url: text().optional(),
  terminal_max_session_time: p.int().optional(),
  polling_interval_multiplier: p.decimal().optional(),
  rsa_key_restriction: number(0, 1024, 2048, 3072, 4096, -1).optional(),
  dsa_key_restriction: number(0, 1024, 2048, 3072, -1).optional(),
  ecdsa_key_restriction: number(0, 256, 384, 521, -1).optional(),
  ed25519_key_restriction: number(0, 256, -1).optional(),
  circuitbreaker_access_retries: p.int().optional(),
  circuitbreaker_backoff_threshold: p.int().optional(),
  circuitbreaker_failure_count_threshold: p.int().optional(),
  circuitbreaker_failure_reset_time: p.int().optional(),
  circuitbreaker_failure_wait_time: p.int().optional(),
  circuitbreaker_storage_timeout: p.int().optional(),
};

/** Names that some clients use. */
const aliases = {
  gravatar_enabled: settable.avatar_service_enabled,
  koding_enabled: settable.cloudide_enabled,
  koding_url: settable.cloudide_url,
  plantuml_enabled: settable.diagrams_enabled,
  plantuml_url: settable.diagrams_url,
};

/** Parameters that clients send, but that are not in the specification's table. */
const further = {
  max_artifacts_size: p.int().optional(),
  default_artifacts_expire_in: p.text({ longest: 100 }).optional(),
};

const settableObject = z.object({ ...settable, ...aliases, ...further });

type Given = z.output<typeof settableObject>;

/** Enabling one of these requires the other parameter in the same request. */
const needed = [
  ['domain_blacklist', ['domain_blacklist'], ['domain_blacklist_enabled']],
  ['cloudide_url', ['cloudide_url', 'koding_url'], ['cloudide_enabled', 'koding_enabled']],
  ['diagrams_url', ['diagrams_url', 'plantuml_url'], ['diagrams_enabled', 'plantuml_enabled']],
] as const;

/** Required parameters that are missing (v4-behaviour 2.15). */
function missingIn(given: Partial<Given>): readonly string[] {
  if (Object.values(given).every((value) => value === undefined)) {
    const names = Object.keys(settable).join(', ');
    return [`${names} are missing, at least one parameter must be provided`];
  }
  return needed.flatMap(([name, either, flags]) => {
    const isMissing = either.every((key) => given[key] === undefined || given[key] === null);
    return isMissing && flags.some((flag) => given[flag] === true) ? [`${name} is missing`] : [];
  });
}

/** An alias applies only if the parameter itself is not given. */
const firstGiven = <Value>(value: Value | undefined, other: Value | undefined) =>
  value === undefined ? other : value;

const changeOf = ({
  gravatar_enabled,
  koding_enabled,
  koding_url,
  plantuml_enabled,
  plantuml_url,
  ...given
}: Given) =>
  camelCased({
    ...given,
    avatar_service_enabled: firstGiven(given.avatar_service_enabled, gravatar_enabled),
    enabled_git_access_protocol:
      given.enabled_git_access_protocol === 'nil' ? null : given.enabled_git_access_protocol,
    cloudide_enabled: firstGiven(given.cloudide_enabled, koding_enabled),
    cloudide_url: firstGiven(given.cloudide_url, koding_url),
    diagrams_enabled: firstGiven(given.diagrams_enabled, plantuml_enabled),
    diagrams_url: firstGiven(given.diagrams_url, plantuml_url),
  });

const show = route({
  method: 'get',
  path: '/application/settings',
  access: 'admin',
  params: z.object({}),
  document: graphql(
    'query ApplicationSettings { result: applicationSettings { ...ApplicationSettingsFields } }',
    [fields],
  ),
  reshape: settings,
});

const update = route({
  method: 'put',
  path: '/application/settings',
  access: 'admin',
  params: settableObject.superRefine(
    (params, ctx) => {
      for (const message of missingIn(params)) {
        ctx.issues.push({ code: 'custom', message, input: params });
      }
    },
    { when: () => true },
  ),
  document: graphql(
    `mutation UpdateApplicationSettings($settings: ApplicationSettingsChange!) {
      result: updateApplicationSettings(settings: $settings) { ...ApplicationSettingsFields }
    }`,
    [fields],
  ),
  variables: (params) => ({ settings: changeOf(params) }),
  reshape: settings,
});

export const applicationSettings = [show, update];
