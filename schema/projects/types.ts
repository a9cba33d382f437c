import { builder } from '../kernel/builder.ts';
import { pageType } from '../kernel/page.ts';
import { Visibility } from '../settings/types.ts';
import { levelInProject, levelSelection } from './find.ts';
import { canSeeRunnersToken } from './policy.ts';

export const ImportStatus = builder.enumType('ImportStatus', {
  values: ['none', 'scheduled', 'started', 'finished', 'failed'] as const,
});

export const Project = builder.prismaObject('Project', {
  fields: (t) => ({
    id: t.exposeInt('id'),
    name: t.exposeString('name'),
    path: t.exposeString('path'),
    fullName: t.exposeString('fullName'),
    fullPath: t.exposeString('fullPath'),
    description: t.exposeString('description', { nullable: true }),
    visibility: t.expose('visibility', { type: Visibility }),
    defaultBranch: t.exposeString('defaultBranch', { nullable: true }),
    tagList: t.exposeStringList('tagList'),
    isArchived: t.exposeBoolean('isArchived'),
    areIssuesEnabled: t.exposeBoolean('areIssuesEnabled'),
    areMergeRequestsEnabled: t.exposeBoolean('areMergeRequestsEnabled'),
    areJobsEnabled: t.exposeBoolean('areJobsEnabled'),
    isWikiEnabled: t.exposeBoolean('isWikiEnabled'),
    areSnippetsEnabled: t.exposeBoolean('areSnippetsEnabled'),
    isContainerRegistryEnabled: t.exposeBoolean('isContainerRegistryEnabled'),
    areSharedRunnersEnabled: t.exposeBoolean('areSharedRunnersEnabled'),
    isLfsEnabled: t.exposeBoolean('isLfsEnabled'),
    isRequestAccessEnabled: t.exposeBoolean('isRequestAccessEnabled'),
    arePublicJobs: t.exposeBoolean('arePublicJobs'),
    resolvesOutdatedDiffs: t.exposeBoolean('resolvesOutdatedDiffs'),
    mergesOnlyIfPipelineSucceeds: t.exposeBoolean('mergesOnlyIfPipelineSucceeds'),
    mergesOnlyIfAllResolved: t.exposeBoolean('mergesOnlyIfAllResolved'),
    printsMergeRequestLink: t.exposeBoolean('printsMergeRequestLink'),
    ciConfigPath: t.exposeString('ciConfigPath', { nullable: true }),
    importStatus: t.expose('importStatus', { type: ImportStatus }),
    starCount: t.exposeInt('starCount'),
    forksCount: t.exposeInt('forksCount'),
    openIssuesCount: t.exposeInt('openIssuesCount'),
    creatorId: t.exposeInt('creatorId', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastActivityAt: t.expose('lastActivityAt', { type: 'DateTime' }),
    namespace: t.relation('namespace'),
    statistics: t.relation('statistics', { nullable: true }),
    webUrl: t.string({
      select: { fullPath: true },
      resolve: ({ fullPath }, _args, { baseUrl }) => `${baseUrl}/${fullPath}`,
    }),
    httpUrlToRepo: t.string({
      select: { fullPath: true },
      resolve: ({ fullPath }, _args, { baseUrl }) => `${baseUrl}/${fullPath}.git`,
    }),
    sshUrlToRepo: t.string({
      select: { fullPath: true },
      resolve: ({ fullPath }, _args, { baseUrl }) =>
        `git@${new URL(baseUrl).hostname}:${fullPath}.git`,
    }),
    /** The highest level the viewer holds in the project, from wherever; 0 is none. */
    viewerLevel: t.int({
      select: (_args, { viewer }) => levelSelection(viewer),
      resolve: (project, _args, { viewer }) => levelInProject(viewer, project),
    }),
    /** The viewer's own level in the project; null when there is none. */
    viewerProjectLevel: t.int({
      nullable: true,
      select: (_args, { viewer }) => ({ members: levelSelection(viewer).members }),
      resolve: ({ members }) => members[0]?.accessLevel ?? null,
    }),
    /** The viewer's level in the group of the project; null when there is none. */
    viewerGroupLevel: t.int({
      nullable: true,
      select: (_args, { viewer }) => ({ namespace: levelSelection(viewer).namespace }),
      resolve: ({ namespace }, _args, { viewer }) =>
        heldIn(namespace.ancestorIds, viewer?.groupLevels),
    }),
    importError: t.string({
      nullable: true,
      select: (_args, { viewer }) => ({ ...levelSelection(viewer), importError: true }),
      resolve: ({ importError, ...project }, _args, { viewer }) =>
        canSeeRunnersToken(levelInProject(viewer, project)) ? importError : null,
    }),
    /** Registers runners; null to everyone below master. */
    runnersToken: t.string({
      nullable: true,
      select: (_args, { viewer }) => ({ ...levelSelection(viewer), runnersTokenSealed: true }),
      resolve: ({ runnersTokenSealed, ...project }, _args, { viewer, secrets }) =>
        canSeeRunnersToken(levelInProject(viewer, project))
          ? secrets.open(runnersTokenSealed)
          : null,
    }),
  }),
});

export const ProjectStatistics = builder.prismaObject('ProjectStatistics', {
  fields: (t) => ({
    commitCount: t.expose('commitCount', { type: 'ByteCount' }),
    repositorySize: t.expose('repositorySize', { type: 'ByteCount' }),
    lfsObjectsSize: t.expose('lfsObjectsSize', { type: 'ByteCount' }),
    jobArtifactsSize: t.expose('jobArtifactsSize', { type: 'ByteCount' }),
    storageSize: t.field({
      type: 'ByteCount',
      select: { repositorySize: true, lfsObjectsSize: true, jobArtifactsSize: true },
      resolve: (sizes) => sizes.repositorySize + sizes.lfsObjectsSize + sizes.jobArtifactsSize,
    }),
  }),
});

export const ProjectPage = pageType('Project', Project);

function heldIn(
  ancestorIds: readonly number[],
  levels: ReadonlyMap<number, number> | undefined,
): number | null {
  const held = ancestorIds.map((id) => levels?.get(id) ?? 0);
  return Math.max(0, ...held) || null;
}
