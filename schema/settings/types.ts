import type { Visibility as VisibilityLevel } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import { settingDescriptions as about } from './descriptions.ts';

export const Visibility = builder.enumType('Visibility', {
  description: 'The users who see a group, a project or a snippet.',
  values: {
    private: { description: 'Members only; of a personal snippet, its author only.' },
    internal: { description: 'All signed-in users except external ones.' },
    public: { description: 'All users, also anonymous ones.' },
  } satisfies Record<VisibilityLevel, object>,
});

export const GitAccessProtocol = builder.enumType('GitAccessProtocol', {
  description: 'A protocol by which git is accessed.',
  values: {
    ssh: {
      description:
        'Git over SSH only, which the instance itself does not serve: git over HTTP is disabled.',
    },
    http: { description: 'Git over HTTP or HTTPS.' },
  },
});

builder.enumType('DefaultBranchProtection', {
  description: 'How the default branch of a new project is protected.',
  values: {
    none: { value: 0, description: 'Not at all.' },
    partial: { value: 1, description: 'Developers may push, but not force a push or delete it.' },
    full: { value: 2, description: 'Only masters may push.' },
  },
});

export const ApplicationSettings = builder.prismaObject('ApplicationSettings', {
  description: 'The settings of the whole instance. Only administrators see them.',
  fields: (t) => ({
    id: t.exposeInt('id', {
      description:
        'The id; there is one record only. A client may use it as the key of a cache; `node` does not accept it.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the instance was set up.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When the settings were last changed.',
    }),
    defaultProjectsLimit: t.exposeInt('defaultProjectsLimit', about.defaultProjectsLimit),
    signupEnabled: t.exposeBoolean('signupEnabled', about.signupEnabled),
    passwordAuthenticationEnabled: t.exposeBoolean(
      'passwordAuthenticationEnabled',
      about.passwordAuthenticationEnabled,
    ),
    avatarServiceEnabled: t.exposeBoolean('avatarServiceEnabled', about.avatarServiceEnabled),
    signInText: t.exposeString('signInText', { nullable: true, ...about.signInText }),
    homePageUrl: t.exposeString('homePageUrl', { nullable: true, ...about.homePageUrl }),
    defaultBranchProtection: t.exposeInt('defaultBranchProtection', about.defaultBranchProtection),
    restrictedVisibilityLevels: t.expose('restrictedVisibilityLevels', {
      type: [Visibility],
      ...about.restrictedVisibilityLevels,
    }),
    maxAttachmentSize: t.exposeInt('maxAttachmentSize', about.maxAttachmentSize),
    maxArtifactsSize: t.exposeInt('maxArtifactsSize', about.maxArtifactsSize),
    maxLfsObjectSize: t.exposeInt('maxLfsObjectSize', about.maxLfsObjectSize),
    defaultArtifactsExpireIn: t.exposeString(
      'defaultArtifactsExpireIn',
      about.defaultArtifactsExpireIn,
    ),
    sessionExpireDelay: t.exposeInt('sessionExpireDelay', about.sessionExpireDelay),
    defaultProjectVisibility: t.expose('defaultProjectVisibility', {
      type: Visibility,
      ...about.defaultProjectVisibility,
    }),
    defaultSnippetVisibility: t.expose('defaultSnippetVisibility', {
      type: Visibility,
      ...about.defaultSnippetVisibility,
    }),
    defaultGroupVisibility: t.expose('defaultGroupVisibility', {
      type: Visibility,
      ...about.defaultGroupVisibility,
    }),
    domainWhitelist: t.exposeStringList('domainWhitelist', about.domainWhitelist),
    domainBlacklistEnabled: t.exposeBoolean('domainBlacklistEnabled', about.domainBlacklistEnabled),
    domainBlacklist: t.exposeStringList('domainBlacklist', about.domainBlacklist),
    userOauthApplications: t.exposeBoolean('userOauthApplications', about.userOauthApplications),
    afterSignOutPath: t.exposeString('afterSignOutPath', {
      nullable: true,
      ...about.afterSignOutPath,
    }),
    containerRegistryTokenExpireDelay: t.exposeInt(
      'containerRegistryTokenExpireDelay',
      about.containerRegistryTokenExpireDelay,
    ),
    repositoryStorages: t.exposeStringList('repositoryStorages', about.repositoryStorages),
    enabledGitAccessProtocol: t.field({
      type: GitAccessProtocol,
      nullable: true,
      ...about.enabledGitAccessProtocol,
      resolve: ({ enabledGitAccessProtocol: protocol }) =>
        protocol === 'ssh' || protocol === 'http' ? protocol : null,
    }),
    cloudideEnabled: t.exposeBoolean('cloudideEnabled', about.cloudideEnabled),
    cloudideUrl: t.exposeString('cloudideUrl', { nullable: true, ...about.cloudideUrl }),
    disabledOauthSignInSources: t.exposeStringList(
      'disabledOauthSignInSources',
      about.disabledOauthSignInSources,
    ),
    diagramsEnabled: t.exposeBoolean('diagramsEnabled', about.diagramsEnabled),
    diagramsUrl: t.exposeString('diagramsUrl', { nullable: true, ...about.diagramsUrl }),
    terminalMaxSessionTime: t.exposeInt('terminalMaxSessionTime', about.terminalMaxSessionTime),
    pollingIntervalMultiplier: t.exposeFloat(
      'pollingIntervalMultiplier',
      about.pollingIntervalMultiplier,
    ),
    rsaKeyRestriction: t.exposeInt('rsaKeyRestriction', about.rsaKeyRestriction),
    dsaKeyRestriction: t.exposeInt('dsaKeyRestriction', about.dsaKeyRestriction),
    ecdsaKeyRestriction: t.exposeInt('ecdsaKeyRestriction', about.ecdsaKeyRestriction),
    ed25519KeyRestriction: t.exposeInt('ed25519KeyRestriction', about.ed25519KeyRestriction),
    circuitbreakerAccessRetries: t.exposeInt(
      'circuitbreakerAccessRetries',
      about.circuitbreakerAccessRetries,
    ),
    circuitbreakerBackoffThreshold: t.exposeInt(
      'circuitbreakerBackoffThreshold',
      about.circuitbreakerBackoffThreshold,
    ),
    circuitbreakerFailureCountThreshold: t.exposeInt(
      'circuitbreakerFailureCountThreshold',
      about.circuitbreakerFailureCountThreshold,
    ),
    circuitbreakerFailureResetTime: t.exposeInt(
      'circuitbreakerFailureResetTime',
      about.circuitbreakerFailureResetTime,
    ),
    circuitbreakerFailureWaitTime: t.exposeInt(
      'circuitbreakerFailureWaitTime',
      about.circuitbreakerFailureWaitTime,
    ),
    circuitbreakerStorageTimeout: t.exposeInt(
      'circuitbreakerStorageTimeout',
      about.circuitbreakerStorageTimeout,
    ),
  }),
});
