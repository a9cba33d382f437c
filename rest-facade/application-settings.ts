import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { camelCased } from './kernel/case.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { changed, s, shaped } from './kernel/shape.ts';

const fields = graphql(`
  fragment ApplicationSettingsFields on ApplicationSettings {
    id created_at: createdAt updated_at: updatedAt default_projects_limit: defaultProjectsLimit
    signup_enabled: signupEnabled password_authentication_enabled: passwordAuthenticationEnabled
    avatar_service_enabled: avatarServiceEnabled sign_in_text: signInText
    home_page_url: homePageUrl default_branch_protection: defaultBranchProtection
    restricted_visibility_levels: restrictedVisibilityLevels
    max_attachment_size: maxAttachmentSize max_artifacts_size: maxArtifactsSize
    max_lfs_object_size: maxLfsObjectSize
    default_artifacts_expire_in: defaultArtifactsExpireIn session_expire_delay: sessionExpireDelay
    default_project_visibility: defaultProjectVisibility
    default_snippet_visibility: defaultSnippetVisibility
    default_group_visibility: defaultGroupVisibility domain_whitelist: domainWhitelist
    domain_blacklist_enabled: domainBlacklistEnabled domain_blacklist: domainBlacklist
    user_oauth_applications: userOauthApplications after_sign_out_path: afterSignOutPath
    container_registry_token_expire_delay: containerRegistryTokenExpireDelay
    repository_storages: repositoryStorages enabled_git_access_protocol: enabledGitAccessProtocol
    cloudide_enabled: cloudideEnabled cloudide_url: cloudideUrl
    disabled_oauth_sign_in_sources: disabledOauthSignInSources diagrams_enabled: diagramsEnabled
    diagrams_url: diagramsUrl terminal_max_session_time: terminalMaxSessionTime
    polling_interval_multiplier: pollingIntervalMultiplier rsa_key_restriction: rsaKeyRestriction
    dsa_key_restriction: dsaKeyRestriction ecdsa_key_restriction: ecdsaKeyRestriction
    ed25519_key_restriction: ed25519KeyRestriction
    circuitbreaker_access_retries: circuitbreakerAccessRetries
    circuitbreaker_backoff_threshold: circuitbreakerBackoffThreshold
    circuitbreaker_failure_count_threshold: circuitbreakerFailureCountThreshold
    circuitbreaker_failure_reset_time: circuitbreakerFailureResetTime
    circuitbreaker_failure_wait_time: circuitbreakerFailureWaitTime
    circuitbreaker_storage_timeout: circuitbreakerStorageTimeout
  }
`);

const visibility = ['private', 'internal', 'public'] as const;

/** An empty list is shown as null. */
const orNull = <Item>(items: readonly Item[]) => (items.length > 0 ? items : null);

/** `1` → `"1.0"`: typed clients expect decimals as text with a fraction. */
const decimalText = new Intl.NumberFormat('en', {
  useGrouping: false,
  minimumFractionDigits: 1,
  maximumFractionDigits: 100,
});

const settings = shaped(
  changed('ApplicationSettings', fields, [], {
    restricted_visibility_levels: s.list(s.choice(visibility)).nullable(),
    domain_whitelist: s.list(s.text()).nullable(),
    domain_blacklist: s.list(s.text()).nullable(),
    polling_interval_multiplier: s.text(),
  }),
  (stored: ResultOf<typeof fields>) => ({
    ...stored,
    restricted_visibility_levels: orNull(stored.restricted_visibility_levels),
    domain_whitelist: orNull(stored.domain_whitelist),
    domain_blacklist: orNull(stored.domain_blacklist),
    polling_interval_multiplier: decimalText.format(stored.polling_interval_multiplier),
  }),
);

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
  max_lfs_object_size: p.int().optional(),
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
