import type { Project as ProjectRow } from '../../prisma/client.ts';
import { avatarUrl } from '../kernel/avatar.ts';
import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';
import { Visibility } from '../settings/types.ts';
import { levelInProject, levelSelection } from './find.ts';
import { canDownloadCode, canSeeImportError, canSeeRunnersToken } from './policy.ts';
import { ProjectGroupLink, visibleShares } from './shares.ts';

export const ImportStatus = builder.enumType('ImportStatus', {
  values: ['none', 'scheduled', 'started', 'finished', 'failed'] as const,
});

interface Access {
  readonly project: ProjectRow;
  readonly level: ReturnType<typeof levelInProject>;
  readonly projectLevel: number | null;
  readonly groupLevel: number | null;
}

export const ProjectAccess = builder.objectRef<Access>('ProjectAccess').implement({
  description: 'What the viewer is in a project, and what only some may see of it.',
  fields: (t) => ({
    /** The viewer's highest level from all sources; 0 means no access. */
    level: t.exposeInt('level'),
    /** The viewer's direct level in the project, or null. */
    projectLevel: t.exposeInt('projectLevel', { nullable: true }),
    /** The viewer's level in the project's group or its ancestors, or null. */
    groupLevel: t.exposeInt('groupLevel', { nullable: true }),
    importError: t.string({
      nullable: true,
      resolve: ({ project, level }) => (canSeeImportError(level) ? project.importError : null),
    }),
    /** Whether the viewer may read the code. */
    canReadCode: t.boolean({
      resolve: ({ project, level }, _args, { viewer }) => canDownloadCode(viewer, level, project),
    }),
    /** Registers runners; null for anyone below master. */
    runnersToken: t.string({
      nullable: true,
      resolve: ({ project, level }, _args, { secrets }) =>
        canSeeRunnersToken(level) ? secrets.open(project.runnersTokenSealed) : null,
    }),
  }),
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
    issuesEnabled: t.exposeBoolean('issuesEnabled'),
    mergeRequestsEnabled: t.exposeBoolean('mergeRequestsEnabled'),
    jobsEnabled: t.exposeBoolean('jobsEnabled'),
    wikiEnabled: t.exposeBoolean('wikiEnabled'),
    snippetsEnabled: t.exposeBoolean('snippetsEnabled'),
    containerRegistryEnabled: t.exposeBoolean('containerRegistryEnabled'),
    sharedRunnersEnabled: t.exposeBoolean('sharedRunnersEnabled'),
    lfsEnabled: t.exposeBoolean('lfsEnabled'),
    requestAccessEnabled: t.exposeBoolean('requestAccessEnabled'),
    publicJobs: t.exposeBoolean('publicJobs'),
    resolveOutdatedDiffDiscussions: t.exposeBoolean('resolveOutdatedDiffDiscussions'),
    onlyAllowMergeIfPipelineSucceeds: t.exposeBoolean('onlyAllowMergeIfPipelineSucceeds'),
    onlyAllowMergeIfAllDiscussionsAreResolved: t.exposeBoolean(
      'onlyAllowMergeIfAllDiscussionsAreResolved',
    ),
    printingMergeRequestLinkEnabled: t.exposeBoolean('printingMergeRequestLinkEnabled'),
    ciConfigPath: t.exposeString('ciConfigPath', { nullable: true }),
    buildTimeout: t.exposeInt('buildTimeout', { description: 'Seconds that a job may run.' }),
    importStatus: t.expose('importStatus', { type: ImportStatus }),
    starCount: t.exposeInt('starCount'),
    forksCount: t.exposeInt('forksCount'),
    openIssuesCount: t.exposeInt('openIssuesCount'),
    creatorId: t.exposeInt('creatorId', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastActivityAt: t.expose('lastActivityAt', { type: 'DateTime' }),
    namespace: t.relation('namespace'),
    statistics: t.relation('statistics', { nullable: true }),
    avatarUrl: t.string({
      nullable: true,
      resolve: (project, _args, { baseUrl }) => avatarUrl('project', project, baseUrl),
    }),
    webUrl: t.string({ resolve: ({ fullPath }, _args, { baseUrl }) => `${baseUrl}/${fullPath}` }),
    httpUrlToRepo: t.string({
      resolve: ({ fullPath }, _args, { baseUrl }) => `${baseUrl}/${fullPath}.git`,
    }),
    sshUrlToRepo: t.string({
      resolve: ({ fullPath }, _args, { sshHost }) => `git@${sshHost}:${fullPath}.git`,
    }),
    /** The groups it is shared with, of which the viewer may know. */
    sharedWithGroups: t.field({
      type: [ProjectGroupLink],
      select: (_args, { viewer }) => levelSelection(viewer),
      resolve: (project, _args, { viewer }) => visibleShares(project, viewer),
    }),
    /** The viewer's levels in the project, and the access they give. */
    access: t.field({
      type: ProjectAccess,
      select: (_args, { viewer }) => levelSelection(viewer),
      resolve: (project, _args, { viewer }) => ({
        project,
        level: levelInProject(viewer, project),
        projectLevel: project.members[0]?.accessLevel ?? null,
        groupLevel: levelInGroups(project.namespace.ancestorIds, viewer?.groupLevels),
      }),
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
      resolve: (sizes) => sizes.repositorySize + sizes.lfsObjectsSize + sizes.jobArtifactsSize,
    }),
  }),
});

export const ProjectPage = pageType('Project', Project);

function levelInGroups(
  ancestorIds: readonly number[],
  levels: ReadonlyMap<number, number> | undefined,
): number | null {
  const groupLevels = ancestorIds.map((id) => levels?.get(id) ?? 0);
  return Math.max(0, ...groupLevels) || null;
}
