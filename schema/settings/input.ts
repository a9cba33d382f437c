import { builder } from '../kernel/builder.ts';
import { settingDescriptions as about } from './descriptions.ts';
import { GitAccessProtocol, Visibility } from './types.ts';

export const SettingsChange = builder.inputType('ApplicationSettingsChange', {
  description:
    'Settings of the instance. Omitted fields stay unchanged; null clears a text, a list or the protocol.',
  fields: (t) => ({
    defaultProjectsLimit: t.int(about.defaultProjectsLimit),
    signupEnabled: t.boolean(about.signupEnabled),
    passwordAuthenticationEnabled: t.boolean(about.passwordAuthenticationEnabled),
    avatarServiceEnabled: t.boolean(about.avatarServiceEnabled),
    signInText: t.string(about.signInText),
    homePageUrl: t.string(about.homePageUrl),
    defaultBranchProtection: t.int(about.defaultBranchProtection),
    restrictedVisibilityLevels: t.field({
      type: [Visibility],
      ...about.restrictedVisibilityLevels,
    }),
    maxAttachmentSize: t.int(about.maxAttachmentSize),
    maxArtifactsSize: t.int(about.maxArtifactsSize),
    maxLfsObjectSize: t.int(about.maxLfsObjectSize),
    defaultArtifactsExpireIn: t.string(about.defaultArtifactsExpireIn),
    sessionExpireDelay: t.int(about.sessionExpireDelay),
    defaultProjectVisibility: t.field({ type: Visibility, ...about.defaultProjectVisibility }),
    defaultSnippetVisibility: t.field({ type: Visibility, ...about.defaultSnippetVisibility }),
    defaultGroupVisibility: t.field({ type: Visibility, ...about.defaultGroupVisibility }),
    domainWhitelist: t.stringList(about.domainWhitelist),
    domainBlacklistEnabled: t.boolean(about.domainBlacklistEnabled),
    domainBlacklist: t.stringList(about.domainBlacklist),
    userOauthApplications: t.boolean(about.userOauthApplications),
    afterSignOutPath: t.string(about.afterSignOutPath),
    containerRegistryTokenExpireDelay: t.int(about.containerRegistryTokenExpireDelay),
    repositoryStorages: t.stringList(about.repositoryStorages),
    enabledGitAccessProtocol: t.field({
      type: GitAccessProtocol,
      ...about.enabledGitAccessProtocol,
    }),
    cloudideEnabled: t.boolean(about.cloudideEnabled),
    cloudideUrl: t.string(about.cloudideUrl),
    disabledOauthSignInSources: t.stringList(about.disabledOauthSignInSources),
    diagramsEnabled: t.boolean(about.diagramsEnabled),
    diagramsUrl: t.string(about.diagramsUrl),
    terminalMaxSessionTime: t.int(about.terminalMaxSessionTime),
    pollingIntervalMultiplier: t.float(about.pollingIntervalMultiplier),
    rsaKeyRestriction: t.int(about.rsaKeyRestriction),
    dsaKeyRestriction: t.int(about.dsaKeyRestriction),
    ecdsaKeyRestriction: t.int(about.ecdsaKeyRestriction),
    ed25519KeyRestriction: t.int(about.ed25519KeyRestriction),
    circuitbreakerAccessRetries: t.int(about.circuitbreakerAccessRetries),
    circuitbreakerBackoffThreshold: t.int(about.circuitbreakerBackoffThreshold),
    circuitbreakerFailureCountThreshold: t.int(about.circuitbreakerFailureCountThreshold),
    circuitbreakerFailureResetTime: t.int(about.circuitbreakerFailureResetTime),
    circuitbreakerFailureWaitTime: t.int(about.circuitbreakerFailureWaitTime),
    circuitbreakerStorageTimeout: t.int(about.circuitbreakerStorageTimeout),
  }),
});

const texts = [
  'signInText',
  'homePageUrl',
  'afterSignOutPath',
  'cloudideUrl',
  'diagramsUrl',
] as const;
const lists = [
  'restrictedVisibilityLevels',
  'domainWhitelist',
  'domainBlacklist',
  'repositoryStorages',
  'disabledOauthSignInSources',
] as const;

type Text = (typeof texts)[number] | 'enabledGitAccessProtocol';
type Input = Partial<typeof SettingsChange.$inferInput>;

/** The given settings in the form of their columns. */
export type Change = {
  -readonly [Key in keyof Input]?: Key extends Text
    ? Exclude<Input[Key], undefined>
    : NonNullable<Input[Key]>;
};

export const domainLists = ['domainWhitelist', 'domainBlacklist'] as const;

const trimmed = (items: readonly string[]) => [
  ...new Set(items.map((item) => item.trim()).filter((item) => item !== '')),
];

const isBlank = (value: unknown) => value === null || value === '';

/** Converts an input to columns: '' clears a text, null a text or list, domains are trimmed. */
export function changeOf(input: Input): Change {
  const cleared = {
    ...Object.fromEntries(texts.filter((name) => isBlank(input[name])).map((name) => [name, null])),
    ...Object.fromEntries(lists.filter((name) => input[name] === null).map((name) => [name, []])),
    ...(input.enabledGitAccessProtocol === null && { enabledGitAccessProtocol: null }),
  };
  const given = Object.entries(input)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => [name, Array.isArray(value) ? [...new Set(value)] : value]);
  const domains = domainLists.flatMap((name) => {
    const items = input[name];
    return items ? [[name, trimmed(items)] as const] : [];
  });
  return { ...Object.fromEntries(given), ...cleared, ...Object.fromEntries(domains) };
}
