import { builder } from '../kernel/builder.ts';
import { GitAccessProtocol, Visibility } from './types.ts';

/** What is left out stays as it is; null takes away a text, a list or the one protocol. */
export const SettingsChange = builder.inputType('ApplicationSettingsChange', {
  fields: (t) => ({
    defaultProjectsLimit: t.int(),
    isSignupEnabled: t.boolean(),
    isPasswordAuthenticationEnabled: t.boolean(),
    isAvatarServiceEnabled: t.boolean(),
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
    isDomainBlacklistEnabled: t.boolean(),
    domainBlacklist: t.stringList(),
    areUserOauthApplicationsEnabled: t.boolean(),
    afterSignOutPath: t.string(),
    containerRegistryTokenExpireDelay: t.int(),
    repositoryStorages: t.stringList(),
    enabledGitAccessProtocol: t.field({ type: GitAccessProtocol }),
    isCloudIdeEnabled: t.boolean(),
    cloudIdeUrl: t.string(),
    disabledOauthSignInSources: t.stringList(),
    areDiagramsEnabled: t.boolean(),
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
  'cloudIdeUrl',
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

/** What was given of the settings, as their columns take it. */
export type Change = {
  -readonly [Key in keyof Input]?: Key extends Text
    ? Exclude<Input[Key], undefined>
    : NonNullable<Input[Key]>;
};

const isBlank = (value: unknown) => value === null || value === '';

/** Brings an input into the form of the columns: an empty text is none, and no list an empty one. */
export function changeOf(input: Input): Change {
  const cleared = {
    ...Object.fromEntries(texts.filter((name) => isBlank(input[name])).map((name) => [name, null])),
    ...Object.fromEntries(lists.filter((name) => input[name] === null).map((name) => [name, []])),
    ...(input.enabledGitAccessProtocol === null && { enabledGitAccessProtocol: null }),
  };
  const given = Object.entries(input)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => [name, Array.isArray(value) ? [...new Set(value)] : value]);
  return { ...Object.fromEntries(given), ...cleared };
}
