import { visibilities } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';

export const Visibility = builder.enumType('Visibility', { values: visibilities });

export const GitAccessProtocol = builder.enumType('GitAccessProtocol', {
  values: ['ssh', 'http'] as const,
});

/** The settings of the whole instance (specification, Application settings). */
export const ApplicationSettings = builder.prismaObject('ApplicationSettings', {
  fields: (t) => ({
    id: t.exposeInt('id'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    defaultProjectsLimit: t.exposeInt('defaultProjectsLimit'),
    signupEnabled: t.exposeBoolean('signupEnabled'),
    passwordAuthenticationEnabled: t.exposeBoolean('passwordAuthenticationEnabled'),
    avatarServiceEnabled: t.exposeBoolean('avatarServiceEnabled'),
    signInText: t.exposeString('signInText', { nullable: true }),
    homePageUrl: t.exposeString('homePageUrl', { nullable: true }),
    defaultBranchProtection: t.exposeInt('defaultBranchProtection'),
    restrictedVisibilityLevels: t.expose('restrictedVisibilityLevels', { type: [Visibility] }),
    maxAttachmentSize: t.exposeInt('maxAttachmentSize', { description: 'Megabytes.' }),
    maxArtifactsSize: t.exposeInt('maxArtifactsSize', {
      description: 'Megabytes that the archive of a job may have; 0: jobs leave none.',
    }),
    defaultArtifactsExpireIn: t.exposeString('defaultArtifactsExpireIn', {
      description: 'For how long archives of which nothing was said are kept; 0: for good.',
    }),
    sessionExpireDelay: t.exposeInt('sessionExpireDelay', {
      description: 'Minutes; obeyed from the next start on.',
    }),
    defaultProjectVisibility: t.expose('defaultProjectVisibility', { type: Visibility }),
    defaultSnippetVisibility: t.expose('defaultSnippetVisibility', { type: Visibility }),
    defaultGroupVisibility: t.expose('defaultGroupVisibility', { type: Visibility }),
    domainWhitelist: t.exposeStringList('domainWhitelist'),
    domainBlacklistEnabled: t.exposeBoolean('domainBlacklistEnabled'),
    domainBlacklist: t.exposeStringList('domainBlacklist'),
    userOauthApplications: t.exposeBoolean('userOauthApplications'),
    afterSignOutPath: t.exposeString('afterSignOutPath', { nullable: true }),
    containerRegistryTokenExpireDelay: t.exposeInt('containerRegistryTokenExpireDelay', {
      description: 'Minutes.',
    }),
    repositoryStorages: t.exposeStringList('repositoryStorages'),
    enabledGitAccessProtocol: t.field({
      type: GitAccessProtocol,
      nullable: true,
      description: 'Null: both.',
      resolve: ({ enabledGitAccessProtocol: protocol }) =>
        protocol === 'ssh' || protocol === 'http' ? protocol : null,
    }),
    cloudideEnabled: t.exposeBoolean('cloudideEnabled'),
    cloudideUrl: t.exposeString('cloudideUrl', { nullable: true }),
    disabledOauthSignInSources: t.exposeStringList('disabledOauthSignInSources'),
    diagramsEnabled: t.exposeBoolean('diagramsEnabled'),
    diagramsUrl: t.exposeString('diagramsUrl', { nullable: true }),
    terminalMaxSessionTime: t.exposeInt('terminalMaxSessionTime', { description: 'Seconds.' }),
    pollingIntervalMultiplier: t.exposeFloat('pollingIntervalMultiplier'),
    rsaKeyRestriction: t.exposeInt('rsaKeyRestriction', {
      description:
        'The least bits of an uploaded key, as of the other types: 0 any, -1 none of it.',
    }),
    dsaKeyRestriction: t.exposeInt('dsaKeyRestriction'),
    ecdsaKeyRestriction: t.exposeInt('ecdsaKeyRestriction'),
    ed25519KeyRestriction: t.exposeInt('ed25519KeyRestriction'),
    circuitbreakerAccessRetries: t.exposeInt('circuitbreakerAccessRetries'),
    circuitbreakerBackoffThreshold: t.exposeInt('circuitbreakerBackoffThreshold'),
    circuitbreakerFailureCountThreshold: t.exposeInt('circuitbreakerFailureCountThreshold'),
    circuitbreakerFailureResetTime: t.exposeInt('circuitbreakerFailureResetTime'),
    circuitbreakerFailureWaitTime: t.exposeInt('circuitbreakerFailureWaitTime'),
    circuitbreakerStorageTimeout: t.exposeInt('circuitbreakerStorageTimeout'),
  }),
});
