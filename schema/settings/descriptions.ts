import { internal, publiclyTyped } from '../kernel/public.ts';

/** What each setting means, for its field in the type and in the input. */
export const settingDescriptions = {
  defaultProjectsLimit: {
    description:
      'The highest number of personal projects of a new user, at least 0. Default: 100000.',
  },
  signupEnabled: { description: 'Whether anonymous users can sign up. Default: true.' },
  passwordAuthenticationEnabled: {
    description: 'Whether users can sign in with a password. Default: true.',
  },
  avatarServiceEnabled: {
    description:
      'Whether users without an uploaded avatar have one of gravatar.com. Default: true.',
  },
  signInText: {
    description:
      'The text on the sign-in page, in Markdown, at most 65536 characters; null for none.',
  },
  homePageUrl: {
    description:
      'The HTTP or HTTPS URL to which anonymous users are redirected from the start page; null for none.',
    extensions: publiclyTyped('URL'),
  },
  defaultBranchProtection: {
    description: 'The protection of the default branch of a new project. Default: FULL.',
    extensions: publiclyTyped('DefaultBranchProtection'),
  },
  restrictedVisibilityLevels: {
    description: 'The visibilities that only administrators may use. Default: none.',
  },
  maxAttachmentSize: {
    description: 'The largest size of an upload in megabytes, at least 1. Default: 10.',
  },
  maxArtifactsSize: {
    description:
      'The largest size of the artifacts of a job in megabytes; 0 allows none. Default: 100.',
  },
  maxLfsObjectSize: {
    description:
      'The largest size of a Git LFS object in megabytes; 0 allows none. Default: 10240 (10 GiB).',
  },
  defaultArtifactsExpireIn: {
    description:
      'How long artifacts are kept unless the CI file says so, such as `30 days`; 0 means that they never expire. Default: 0.',
  },
  sessionExpireDelay: {
    description:
      'The lifetime of a browser session in minutes; a change takes effect at the next start. Default: 10080 (7 days).',
  },
  defaultProjectVisibility: { description: 'The visibility of new projects. Default: `PRIVATE`.' },
  defaultSnippetVisibility: { description: 'The visibility of new snippets. Default: `PRIVATE`.' },
  defaultGroupVisibility: { description: 'The visibility of new groups. Default: `PRIVATE`.' },
  domainWhitelist: {
    description:
      'The domains of e-mail addresses with which users may sign up; an empty list allows all. A leading `*.` matches subdomains.',
  },
  domainBlacklistEnabled: { description: 'Whether `domainBlacklist` applies. Default: false.' },
  domainBlacklist: {
    description:
      'The domains of e-mail addresses with which users may not sign up. A leading `*.` matches subdomains. Ignored unless `domainWhitelist` is empty.',
  },
  userOauthApplications: {
    description:
      'Whether users who are not administrators may register OAuth applications. Default: true.',
  },
  afterSignOutPath: {
    description:
      'The HTTP or HTTPS URL to which users are redirected after they sign out; null for the sign-in page.',
  },
  containerRegistryTokenExpireDelay: {
    description:
      'Minutes, at least 1. Stored for clients; there is no container registry. Default: 5.',
    extensions: internal,
  },
  repositoryStorages: {
    description:
      'The names of the storages in which new repositories are created; at least one. Default: `default`.',
  },
  enabledGitAccessProtocol: {
    description: 'The only protocol by which git is served; null for all.',
  },
  cloudideEnabled: {
    description:
      'Whether an online editor is offered. Stored for clients; it has no effect. Default: false.',
    extensions: internal,
  },
  cloudideUrl: {
    description:
      'The URL of the online editor; null for none. Stored for clients; it has no effect.',
    extensions: internal,
  },
  disabledOauthSignInSources: {
    description:
      'The OAuth providers by which users cannot sign in. Stored for clients; it has no effect.',
    extensions: internal,
  },
  diagramsEnabled: {
    description:
      'Whether diagrams are rendered. Stored for clients; it has no effect. Default: false.',
    extensions: internal,
  },
  diagramsUrl: {
    description:
      'The URL of the diagram renderer; null for none. Stored for clients; it has no effect.',
    extensions: internal,
  },
  terminalMaxSessionTime: {
    description:
      'Seconds; 0 means no limit. Stored for clients; there are no terminals. Default: 0.',
    extensions: internal,
  },
  pollingIntervalMultiplier: {
    description:
      'The factor by which clients multiply the time between two polls. Stored for clients; it has no effect. Default: 1.',
    extensions: internal,
  },
  rsaKeyRestriction: {
    description:
      'The smallest size of RSA keys in bits: 1024, 2048, 3072 or 4096; 0 allows all, -1 none. Default: 0.',
  },
  dsaKeyRestriction: {
    description:
      'The smallest size of DSA keys in bits: 1024, 2048 or 3072; 0 allows all, -1 none. Default: 0.',
  },
  ecdsaKeyRestriction: {
    description:
      'The smallest size of ECDSA keys in bits: 256, 384 or 521; 0 allows all, -1 none. Default: 0.',
  },
  ed25519KeyRestriction: {
    description:
      'The smallest size of ED25519 keys in bits: 256; 0 allows all, -1 none. Default: 0.',
  },
  circuitbreakerAccessRetries: {
    description:
      'The attempts to access a storage. Stored for clients; it has no effect. Default: 3.',
    extensions: internal,
  },
  circuitbreakerBackoffThreshold: {
    description:
      'The failures of a storage after which access pauses; lower than `circuitbreakerFailureCountThreshold`. Stored for clients; it has no effect. Default: 80.',
    extensions: internal,
  },
  circuitbreakerFailureCountThreshold: {
    description:
      'The failures of a storage after which it is disabled. Stored for clients; it has no effect. Default: 160.',
    extensions: internal,
  },
  circuitbreakerFailureResetTime: {
    description:
      'Seconds after which failures of a storage are forgotten. Stored for clients; it has no effect. Default: 1800.',
    extensions: internal,
  },
  circuitbreakerFailureWaitTime: {
    description:
      'Seconds between a failure of a storage and the next access. Stored for clients; it has no effect. Default: 30.',
    extensions: internal,
  },
  circuitbreakerStorageTimeout: {
    description:
      'Seconds after which an access to a storage fails. Stored for clients; it has no effect. Default: 30.',
    extensions: internal,
  },
} as const;
