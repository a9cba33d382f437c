import type { Project as ProjectRow } from '../../prisma/client.ts';
import { avatarUrl } from '../kernel/avatar.ts';
import { builder } from '../kernel/builder.ts';
import { openIfReadable } from '../kernel/private-token.ts';
import { internal } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';
import { Visibility } from '../settings/types.ts';
import { projectDescriptions as about } from './descriptions.ts';
import { levelInProject, levelSelection } from './find.ts';
import {
  canAdministerProject,
  canDownloadCode,
  canEditProject,
  canPushCode,
  canSeeImportError,
  canSeeRunnersToken,
} from './policy.ts';
import { ProjectGroupLink, visibleShares } from './shares.ts';

export const ImportStatus = builder.enumType('ImportStatus', {
  description: 'The state of the background job that fills the repository of a fork or an import.',
  values: {
    none: { description: 'The project is neither a fork nor an import.' },
    scheduled: { description: 'The job waits. Pushes are rejected until it has ended.' },
    started: { description: 'The job runs. Pushes are rejected until it has ended.' },
    finished: { description: 'The repository is complete.' },
    failed: { description: 'The job failed; see `access.importError`.' },
  } as const,
});

interface Access {
  readonly project: ProjectRow;
  readonly level: ReturnType<typeof levelInProject>;
  readonly projectLevel: number | null;
  readonly groupLevel: number | null;
}

export const ProjectAccess = builder.objectRef<Access>('ProjectAccess').implement({
  description:
    'The access of the current user to a project, and values that only some users may see.',
  fields: (t) => ({
    level: t.exposeInt('level', {
      description:
        'The highest access level from all sources. A public or internal project can be seen without access.',
    }),
    projectLevel: t.exposeInt('projectLevel', {
      nullable: true,
      description: 'The access level as a direct member of the project; null for other users.',
    }),
    groupLevel: t.exposeInt('groupLevel', {
      nullable: true,
      description:
        'The highest access level as a member of the group of the project or of its ancestors; null for other users.',
    }),
    importError: t.string({
      description:
        'Why the fork or import failed. Null if it did not fail, and for a user below the level of a master.',
      nullable: true,
      resolve: ({ project, level }) => (canSeeImportError(level) ? project.importError : null),
    }),
    canReadCode: t.boolean({
      description:
        'Whether the current user may read the repository. Guests of a private project may not, and external users who are guests of an internal one.',
      resolve: ({ project, level }, _args, { viewer }) => canDownloadCode(viewer, level, project),
    }),
    canPush: t.boolean({
      description:
        'Whether the current user may push to branches without protection. An archived project accepts no pushes.',
      resolve: ({ project, level }) => canPushCode(level, project),
    }),
    canEdit: t.boolean({
      description: 'Whether the current user may change the settings, members, hooks and runners.',
      resolve: ({ level }) => canEditProject(level),
    }),
    canAdminister: t.boolean({
      description:
        'Whether the current user may rename, transfer, archive and delete the project, and change who sees it.',
      resolve: ({ level }) => canAdministerProject(level),
    }),
    runnersToken: t.string({
      description:
        'The token with which runners of the project are registered. Null for a user below the level of a master, and if the stored token is damaged.',
      nullable: true,
      resolve: ({ project, level }, _args, ctx) =>
        canSeeRunnersToken(level) ? openIfReadable(project.runnersTokenSealed, ctx) : null,
    }),
  }),
});

export const Project = builder.prismaObject('Project', {
  description:
    'A repository with its issues, merge requests, pipelines, wiki, snippets and members.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The id, unique among all projects.' }),
    name: t.exposeString('name', { description: 'The name, unique in its namespace.' }),
    path: t.exposeString('path', { description: 'The last part of the full path.' }),
    fullName: t.exposeString('fullName', {
      description: 'The names of the namespaces and the project, such as `Tools / App`.',
    }),
    fullPath: t.exposeString('fullPath', {
      description: 'The paths of the namespaces and the project, such as `tools/app`.',
    }),
    description: t.exposeString('description', { nullable: true, ...about.description }),
    visibility: t.expose('visibility', { type: Visibility, description: 'Who sees the project.' }),
    defaultBranch: t.exposeString('defaultBranch', {
      nullable: true,
      description: 'The name of the default branch; null until the first push.',
    }),
    tagList: t.exposeStringList('tagList', about.tagList),
    isArchived: t.exposeBoolean('isArchived', {
      description: 'Whether the project is archived: pushes to it are rejected.',
    }),
    issuesEnabled: t.exposeBoolean('issuesEnabled', about.issuesEnabled),
    mergeRequestsEnabled: t.exposeBoolean('mergeRequestsEnabled', about.mergeRequestsEnabled),
    jobsEnabled: t.exposeBoolean('jobsEnabled', about.jobsEnabled),
    wikiEnabled: t.exposeBoolean('wikiEnabled', about.wikiEnabled),
    snippetsEnabled: t.exposeBoolean('snippetsEnabled', about.snippetsEnabled),
    containerRegistryEnabled: t.exposeBoolean(
      'containerRegistryEnabled',
      about.containerRegistryEnabled,
    ),
    sharedRunnersEnabled: t.exposeBoolean('sharedRunnersEnabled', about.sharedRunnersEnabled),
    lfsEnabled: t.exposeBoolean('lfsEnabled', about.lfsEnabled),
    requestAccessEnabled: t.exposeBoolean('requestAccessEnabled', about.requestAccessEnabled),
    publicJobs: t.exposeBoolean('publicJobs', about.publicJobs),
    resolveOutdatedDiffDiscussions: t.exposeBoolean(
      'resolveOutdatedDiffDiscussions',
      about.resolveOutdatedDiffDiscussions,
    ),
    onlyAllowMergeIfPipelineSucceeds: t.exposeBoolean(
      'onlyAllowMergeIfPipelineSucceeds',
      about.onlyAllowMergeIfPipelineSucceeds,
    ),
    onlyAllowMergeIfAllDiscussionsAreResolved: t.exposeBoolean(
      'onlyAllowMergeIfAllDiscussionsAreResolved',
      about.onlyAllowMergeIfAllDiscussionsAreResolved,
    ),
    printingMergeRequestLinkEnabled: t.exposeBoolean(
      'printingMergeRequestLinkEnabled',
      about.printingMergeRequestLinkEnabled,
    ),
    ciConfigPath: t.exposeString('ciConfigPath', { nullable: true, ...about.ciConfigPath }),
    buildTimeout: t.exposeInt('buildTimeout', about.buildTimeout),
    importStatus: t.expose('importStatus', {
      type: ImportStatus,
      description: 'The state of the fork or import.',
    }),
    starCount: t.exposeInt('starCount', {
      description: 'The number of users who starred the project.',
    }),
    forksCount: t.exposeInt('forksCount', {
      description: 'The number of forks, including those that the current user may not see.',
    }),
    openIssuesCount: t.exposeInt('openIssuesCount', {
      description: 'The number of open issues, without confidential ones.',
    }),
    creatorId: t.exposeInt('creatorId', { nullable: true, extensions: internal }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the project was created.',
    }),
    lastActivityAt: t.expose('lastActivityAt', {
      type: 'DateTime',
      description: 'When the project last had an event, to the hour.',
    }),
    namespace: t.relation('namespace', {
      description: 'The group or the personal namespace that contains the project.',
    }),
    statistics: t.relation('statistics', {
      nullable: true,
      description: 'The sizes of the project; null if none were recorded.',
    }),
    avatarUrl: t.field({
      type: 'URL',
      description: 'The URL of the uploaded avatar; null for none.',
      nullable: true,
      resolve: (project, _args, { baseUrl }) => avatarUrl('project', project, baseUrl),
    }),
    webUrl: t.field({
      type: 'URL',
      description: 'The URL of the page of the project.',
      resolve: ({ fullPath }, _args, { baseUrl }) => `${baseUrl}/${fullPath}`,
    }),
    httpUrlToRepo: t.field({
      type: 'URL',
      description: 'The URL to clone the repository over HTTP.',
      resolve: ({ fullPath }, _args, { baseUrl }) => `${baseUrl}/${fullPath}.git`,
    }),
    sshUrlToRepo: t.string({
      extensions: internal,
      description: 'The URL to clone the repository over SSH.',
      resolve: ({ fullPath }, _args, { sshUrl }) => `${sshUrl}${fullPath}.git`,
    }),
    sharedWithGroups: t.field({
      description:
        'The unexpired shares of the project with groups, the oldest first: all for masters, for other users those with groups that they may see.',
      type: [ProjectGroupLink],
      select: (_args, { viewer }) => levelSelection(viewer),
      resolve: (project, _args, { viewer }) => visibleShares(project, viewer),
    }),
    access: t.field({
      description: 'The access of the current user to the project.',
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

export const ProjectPage = pageType('Project', Project);

function levelInGroups(
  ancestorIds: readonly number[],
  levels: ReadonlyMap<number, number> | undefined,
): number | null {
  const groupLevels = ancestorIds.map((id) => levels?.get(id) ?? 0);
  return Math.max(0, ...groupLevels) || null;
}
