import { builder } from '../kernel/builder.ts';
import { GitAccessProtocol, Visibility } from './types.ts';

/** Omitted fields stay unchanged; null clears a text, a list or the protocol. */
export const SettingsChange = builder.inputType('ApplicationSettingsChange', {
  fields: (t) => ({
    defaultProjectsLimit: t.int({
      description: 'The highest number of personal projects of a new user.',
    }),
    signupEnabled: t.boolean({ description: 'Whether anonymous users can sign up.' }),
    passwordAuthenticationEnabled: t.boolean({
      description: 'Whether users can sign in with a password.',
    }),
    avatarServiceEnabled: t.boolean({
      description: 'Whether users without an avatar have one by Gravatar.',
    }),
    signInText: t.string({ description: 'The text on the sign-in page, in Markdown.' }),
    homePageUrl: t.string({
      description: 'The URL to which anonymous users are redirected from the start page.',
    }),
    defaultBranchProtection: t.int({
      description:
        'The protection of the default branch of a new project: 0 none, 1 developers can push, 2 only masters can.',
    }),
    restrictedVisibilityLevels: t.field({
      type: [Visibility],
      description: 'The visibilities that only administrators may use.',
    }),
    maxAttachmentSize: t.int({ description: 'The largest size of an upload in megabytes.' }),
    maxArtifactsSize: t.int({
      description: 'The largest size of the artifacts of a job in megabytes; 0 allows none.',
    }),
    defaultArtifactsExpireIn: t.string({
      description:
        'How long artifacts are kept unless the CI file says so, such as `30 days`; 0 means for ever.',
    }),
    sessionExpireDelay: t.int({
      description: 'The lifetime of a browser session in minutes; takes effect at the next start.',
    }),
    defaultProjectVisibility: t.field({
      type: Visibility,
      description: 'The visibility of new projects.',
    }),
    defaultSnippetVisibility: t.field({
      type: Visibility,
      description: 'The visibility of new snippets.',
    }),
    defaultGroupVisibility: t.field({
      type: Visibility,
      description: 'The visibility of new groups.',
    }),
    domainWhitelist: t.stringList({
      description:
        'The domains of e-mail addresses with which users may sign up; an empty list allows all. `*` stands for any text.',
    }),
    domainBlacklistEnabled: t.boolean({ description: 'Whether `domainBlacklist` applies.' }),
    domainBlacklist: t.stringList({
      description:
        'The domains of e-mail addresses with which users may not sign up. `*` stands for any text.',
    }),
    userOauthApplications: t.boolean({
      description: 'Whether users may register OAuth applications.',
    }),
    afterSignOutPath: t.string({
      description: 'Where users are redirected after they signed out.',
    }),
    containerRegistryTokenExpireDelay: t.int({
      description: 'Minutes. Stored for clients; there is no container registry.',
    }),
    repositoryStorages: t.stringList({
      description: 'The names of the storages in which new repositories are created.',
    }),
    enabledGitAccessProtocol: t.field({
      type: GitAccessProtocol,
      description: 'The only protocol by which git is served; null for all.',
    }),
    cloudideEnabled: t.boolean({ description: 'Stored for clients; it has no effect.' }),
    cloudideUrl: t.string({ description: 'Stored for clients; it has no effect.' }),
    disabledOauthSignInSources: t.stringList({
      description: 'Stored for clients; it has no effect.',
    }),
    diagramsEnabled: t.boolean({ description: 'Stored for clients; it has no effect.' }),
    diagramsUrl: t.string({ description: 'Stored for clients; it has no effect.' }),
    terminalMaxSessionTime: t.int({
      description: 'Seconds. Stored for clients; there are no terminals.',
    }),
    pollingIntervalMultiplier: t.float({ description: 'Stored for clients; it has no effect.' }),
    rsaKeyRestriction: t.int({
      description: 'The smallest size of RSA keys in bits; 0 allows all, -1 none.',
    }),
    dsaKeyRestriction: t.int({
      description: 'The smallest size of DSA keys in bits; 0 allows all, -1 none.',
    }),
    ecdsaKeyRestriction: t.int({
      description: 'The smallest size of ECDSA keys in bits; 0 allows all, -1 none.',
    }),
    ed25519KeyRestriction: t.int({
      description: 'The smallest size of ED25519 keys in bits; 0 allows all, -1 none.',
    }),
    circuitbreakerAccessRetries: t.int({ description: 'Stored for clients; it has no effect.' }),
    circuitbreakerBackoffThreshold: t.int({ description: 'Stored for clients; it has no effect.' }),
    circuitbreakerFailureCountThreshold: t.int({
      description: 'Stored for clients; it has no effect.',
    }),
    circuitbreakerFailureResetTime: t.int({
      description: 'Seconds. Stored for clients; it has no effect.',
    }),
    circuitbreakerFailureWaitTime: t.int({
      description: 'Seconds. Stored for clients; it has no effect.',
    }),
    circuitbreakerStorageTimeout: t.int({
      description: 'Seconds. Stored for clients; it has no effect.',
    }),
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
