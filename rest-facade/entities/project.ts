import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import type { Site } from '../../schema/client/operation.ts';
import { basicUserFields } from './user.ts';

/** The level from which fields for masters are shown. */
const master = 40;

/** Every user has the global notification level. */
const globalNotification = 3;

export const simpleProjectFields = graphql(`
  fragment SimpleProjectFields on Project {
    id description defaultBranch tagList sshUrlToRepo httpUrlToRepo webUrl
    name fullName path fullPath avatarUrl starCount forksCount createdAt lastActivityAt
  }
`);

/** A project for anonymous users and with `simple=true` (v4-behaviour 2.5). */
export const simpleProject = (project: ResultOf<typeof simpleProjectFields>) => ({
  id: project.id,
  description: project.description,
  default_branch: project.defaultBranch,
  tag_list: project.tagList,
  ssh_url_to_repo: project.sshUrlToRepo,
  http_url_to_repo: project.httpUrlToRepo,
  web_url: project.webUrl,
  name: project.name,
  name_with_namespace: project.fullName,
  path: project.path,
  path_with_namespace: project.fullPath,
  avatar_url: project.avatarUrl,
  star_count: project.starCount,
  forks_count: project.forksCount,
  created_at: project.createdAt,
  last_activity_at: project.lastActivityAt,
});

export const groupedProjectFields = graphql(
  `
    fragment GroupedProjectFields on Project {
      ...SimpleProjectFields
      visibility isArchived issuesEnabled mergeRequestsEnabled jobsEnabled wikiEnabled
      snippetsEnabled containerRegistryEnabled sharedRunnersEnabled lfsEnabled
      requestAccessEnabled publicJobs resolveOutdatedDiffDiscussions onlyAllowMergeIfPipelineSucceeds
      onlyAllowMergeIfAllDiscussionsAreResolved printingMergeRequestLinkEnabled ciConfigPath importStatus
      openIssuesCount creatorId
      access { level importError }
      forkedFrom { ...SimpleProjectFields }
      namespace { id name path kind fullPath parentId }
      sharedWithGroups { groupId groupName accessLevel }
    }
  `,
  [simpleProjectFields],
);

/** A project in a group's response: without owner, permissions, statistics and links. */
export const groupedProject = (project: ResultOf<typeof groupedProjectFields>) => ({
  ...simpleProject(project),
  archived: project.isArchived,
  visibility: project.visibility,
  resolve_outdated_diff_discussions: project.resolveOutdatedDiffDiscussions,
  container_registry_enabled: project.containerRegistryEnabled,
  issues_enabled: project.issuesEnabled,
  merge_requests_enabled: project.mergeRequestsEnabled,
  wiki_enabled: project.wikiEnabled,
  jobs_enabled: project.jobsEnabled,
  snippets_enabled: project.snippetsEnabled,
  shared_runners_enabled: project.sharedRunnersEnabled,
  lfs_enabled: project.lfsEnabled,
  creator_id: project.creatorId,
  namespace: {
    id: project.namespace.id,
    name: project.namespace.name,
    path: project.namespace.path,
    kind: project.namespace.kind,
    full_path: project.namespace.fullPath,
    parent_id: project.namespace.parentId,
  },
  ...(project.forkedFrom && { forked_from_project: simpleProject(project.forkedFrom) }),
  import_status: project.importStatus,
  ...(project.access.level >= master && { import_error: project.access.importError }),
  ...(project.issuesEnabled && { open_issues_count: project.openIssuesCount }),
  public_jobs: project.publicJobs,
  ci_config_path: project.ciConfigPath,
  shared_with_groups: project.sharedWithGroups.map(({ groupId, groupName, accessLevel }) => ({
    group_id: groupId,
    group_name: groupName,
    group_access_level: accessLevel,
  })),
  only_allow_merge_if_pipeline_succeeds: project.onlyAllowMergeIfPipelineSucceeds,
  request_access_enabled: project.requestAccessEnabled,
  only_allow_merge_if_all_discussions_are_resolved:
    project.onlyAllowMergeIfAllDiscussionsAreResolved,
  printing_merge_request_link_enabled: project.printingMergeRequestLinkEnabled,
  printing_merge_requests_link_enabled: project.printingMergeRequestLinkEnabled,
});

export const projectFields = graphql(
  `
    fragment ProjectFields on Project {
      ...GroupedProjectFields
      buildTimeout
      access { projectLevel groupLevel }
      namespace { createdAt owner { ...BasicUserFields created_at: createdAt } }
      statistics @include(if: $withStatistics) {
        commitCount storageSize repositorySize lfsObjectsSize jobArtifactsSize
      }
    }
  `,
  [groupedProjectFields, basicUserFields],
);

type ProjectRecord = ResultOf<typeof projectFields>;

/** All fields of a project, or those of its short form only. */
export const listedProjectFields = graphql(
  `
    fragment ListedProjectFields on Project {
      ...SimpleProjectFields
      ...ProjectFields @include(if: $isFull)
    }
  `,
  [simpleProjectFields, projectFields],
);

type ListedRecord = ResultOf<typeof listedProjectFields>;

const isFull = (project: ListedRecord): project is ProjectRecord =>
  'access' in project && project.access !== undefined;

/** A project in a listing: complete, with permissions, if requested. */
export const listedProject = (project: ListedRecord, site: Site) =>
  isFull(project) ? fullProject(project, site) : simpleProject(project);

export const projectDetailFields = graphql(
  `fragment ProjectDetailFields on Project { ...ProjectFields access { runnersToken } }`,
  [projectFields],
);

/** A project by itself: as in listings, plus the runners token if the viewer may see it. */
export function project(record: ResultOf<typeof projectDetailFields>, site: Site) {
  return site.viewer
    ? {
        ...fullProject(record, site),
        ...(record.access.level >= master && { runners_token: record.access.runnersToken }),
      }
    : simpleProject(record);
}

const fullProject = (project: ProjectRecord, { url }: Site) => ({
  ...groupedProject(project),
  build_timeout: project.buildTimeout,
  _links: linksOf(project, `${url}/api/v4/projects/${project.id}`),
  owner: ownerOf(project),
  permissions: {
    project_access: permission(project.access.projectLevel),
    group_access: permission(project.access.groupLevel),
  },
  ...(project.statistics && { statistics: statisticsOf(project.statistics) }),
});

const linksOf = (project: ProjectRecord, self: string) => ({
  self,
  ...(project.issuesEnabled && { issues: `${self}/issues` }),
  ...(project.mergeRequestsEnabled && { merge_requests: `${self}/merge_requests` }),
  repo_branches: `${self}/repository/branches`,
  labels: `${self}/labels`,
  events: `${self}/events`,
  members: `${self}/members`,
});

/** The owner of a personal project, or the group of any other (decisions.md). */
const ownerOf = ({ namespace }: ProjectRecord) =>
  namespace.owner ?? { id: namespace.id, name: namespace.name, created_at: namespace.createdAt };

const permission = (level: number | null) =>
  level === null ? null : { access_level: level, notification_level: globalNotification };

const statisticsOf = (statistics: NonNullable<ProjectRecord['statistics']>) => ({
  commit_count: statistics.commitCount,
  storage_size: statistics.storageSize,
  repository_size: statistics.repositorySize,
  lfs_objects_size: statistics.lfsObjectsSize,
  job_artifacts_size: statistics.jobArtifactsSize,
});
