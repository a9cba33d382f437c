import { builder } from '../kernel/builder.ts';
import { GitAccessProtocol, Visibility } from './types.ts';

/** Omitted fields stay unchanged; null clears a text, a list or the protocol. */
export const SettingsChange = builder.inputType('ApplicationSettingsChange', {
  fields: (t) => ({
    defaultProjectsLimit: t.int(),
    signupEnabled: t.boolean(),
    passwordAuthenticationEnabled: t.boolean(),
    avatarServiceEnabled: t.boolean(),
    signInText: t.string(),
    homePageUrl: t.string(),
    defaultBranchProtection: t.int(),
    restrictedVisibilityLevels: t.field({ type: [Visibility] }),
    maxAttachmentSize: t.int(),
    maxArtifactsSize: t.int(),
    defaultArtifactsExpireIn: t.string(),
    sessionExpireDelay: t.int(),
    defaultProjectVisibility: t.field({ type: Visibility }),
    defaultSnippetVisibility: t.field({ type: Visibility }),
    defaultGroupVisibility: t.field({ type: Visibility }),
    domainWhitelist: t.stringList(),
    domainBlacklistEnabled: t.boolean(),
    domainBlacklist: t.stringList(),
    userOauthApplications: t.boolean(),
    afterSignOutPath: t.string(),
    containerRegistryTokenExpireDelay: t.int(),
    repositoryStorages: t.stringList(),
    enabledGitAccessProtocol: t.field({ type: GitAccessProtocol }),
    cloudideEnabled: t.boolean(),
    cloudideUrl: t.string(),
    disabledOauthSignInSources: t.stringList(),
    diagramsEnabled: t.boolean(),
    diagramsUrl: t.string(),
    terminalMaxSessionTime: t.int(),
    pollingIntervalMultiplier: t.float(),
    rsaKeyRestriction: t.int(),
    dsaKeyRestriction: t.int(),
    ecdsaKeyRestriction: t.int(),
    ed25519KeyRestriction: t.int(),
    circuitbreakerAccessRetries: t.int(),
    circuitbreakerBackoffThreshold: t.int(),
    circuitbreakerFailureCountThreshold: t.int(),
    circuitbreakerFailureResetTime: t.int(),
    circuitbreakerFailureWaitTime: t.int(),
    circuitbreakerStorageTimeout: t.int(),
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
