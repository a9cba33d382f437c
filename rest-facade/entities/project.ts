import { z } from 'zod';
import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import type { Site } from '../../schema/client/operation.ts';
import { changed, entity, s, selected, shaped } from '../kernel/shape.ts';
import { basicUserFields } from './user.ts';

/** The level from which fields for masters are shown. */
const master = 40;

/** Every user has the global notification level. */
const globalNotification = 3;

/** A project for anonymous users and with `simple=true` (v4-behaviour 2.5). */
export const simpleProjectFields = graphql(`
  fragment SimpleProjectFields on Project {
    id description default_branch: defaultBranch tag_list: tagList ssh_url_to_repo: sshUrlToRepo
    http_url_to_repo: httpUrlToRepo web_url: webUrl name name_with_namespace: fullName
    path path_with_namespace: fullPath avatar_url: avatarUrl star_count: starCount
    forks_count: forksCount created_at: createdAt last_activity_at: lastActivityAt
  }
`);

/** `import_error` is a placeholder, for the order of the keys: `access` has its value. */
export const groupedProjectFields = graphql(
  `
    fragment GroupedProjectFields on Project {
      ...SimpleProjectFields
      archived: isArchived
      visibility
      resolve_outdated_diff_discussions: resolveOutdatedDiffDiscussions
      container_registry_enabled: containerRegistryEnabled
      issues_enabled: issuesEnabled
      merge_requests_enabled: mergeRequestsEnabled
      wiki_enabled: wikiEnabled
      jobs_enabled: jobsEnabled
      snippets_enabled: snippetsEnabled
      shared_runners_enabled: sharedRunnersEnabled
      lfs_enabled: lfsEnabled
      creator_id: creatorId
      namespace { id name path kind full_path: fullPath parent_id: parentId }
      forked_from_project: forkedFrom { ...SimpleProjectFields }
      import_status: importStatus
      import_error: __typename
      access { level importError }
      open_issues_count: openIssuesCount
      public_jobs: publicJobs
      ci_config_path: ciConfigPath
      shared_with_groups: sharedWithGroups {
        group_id: groupId group_name: groupName group_access_level: accessLevel
      }
      only_allow_merge_if_pipeline_succeeds: onlyAllowMergeIfPipelineSucceeds
      request_access_enabled: requestAccessEnabled
      only_allow_merge_if_all_discussions_are_resolved: onlyAllowMergeIfAllDiscussionsAreResolved
      printing_merge_request_link_enabled: printingMergeRequestLinkEnabled
      printing_merge_requests_link_enabled: printingMergeRequestLinkEnabled
    }
  `,
  [simpleProjectFields],
);

/** What `groupedProject` shows in another way than it is selected. */
export const groupedProjectShapes = {
  forked_from_project: selected(simpleProjectFields).optional(),
  import_error: s.text().nullable().optional().describe('Why the last import failed; for masters.'),
  open_issues_count: s.int().optional(),
};

/** A project in a group's response: without owner, permissions, statistics and links. */
export const groupedProject = shaped(
  changed('GroupedProject', groupedProjectFields, ['access'], groupedProjectShapes),
  ({ access, ...project }: ResultOf<typeof groupedProjectFields>) => ({
    ...project,
    forked_from_project: project.forked_from_project ?? undefined,
    import_error: access.level >= master ? access.importError : undefined,
    open_issues_count: project.issues_enabled ? project.open_issues_count : undefined,
  }),
);

const projectFields = graphql(
  `
    fragment ProjectFields on Project {
      ...GroupedProjectFields
      build_timeout: buildTimeout
      access { projectLevel groupLevel }
      namespace { created_at: createdAt owner { ...BasicUserFields created_at: createdAt } }
    }
  `,
  [groupedProjectFields, basicUserFields],
);

const statisticsFields = graphql(`
  fragment ProjectStatisticsFields on Project {
    statistics @include(if: $withStatistics) {
      commit_count: commitCount storage_size: storageSize repository_size: repositorySize
      lfs_objects_size: lfsObjectsSize job_artifacts_size: jobArtifactsSize
    }
  }
`);

type ProjectRecord = ResultOf<typeof projectFields> & Partial<ResultOf<typeof statisticsFields>>;

/** All fields of a project, or those of its short form only. */
export const listedProjectFields = graphql(
  `
    fragment ListedProjectFields on Project {
      ...SimpleProjectFields
      ...ProjectFields @include(if: $isFull)
      ...ProjectStatisticsFields
    }
  `,
  [simpleProjectFields, projectFields, statisticsFields],
);

type ListedRecord = ResultOf<typeof listedProjectFields>;

const isFull = (project: ListedRecord): project is ListedRecord & ProjectRecord =>
  'access' in project && project.access !== undefined;

const permissionShape = s
  .object({
    access_level: s.int().describe('The level: 10, 20, 30, 40 or 50.'),
    notification_level: s.int().describe('Always 3, the global level.'),
  })
  .nullable();

const fullProjectShape = changed('Project', groupedProjectFields, ['access'], {
  ...groupedProjectShapes,
  build_timeout: s.int().describe('The longest time of a job, in seconds.'),
  _links: s
    .object({
      self: s.url().describe('The project.'),
      issues: s.url().optional().describe('Its issues.'),
      merge_requests: s.url().optional().describe('Its merge requests.'),
      repo_branches: s.url().describe('Its branches.'),
      labels: s.url().describe('Its labels.'),
      events: s.url().describe('Its events.'),
      members: s.url().describe('Its members.'),
    })
    .describe('The addresses of related resources.'),
  owner: z
    .union([
      changed('Owner', basicUserFields, [], { created_at: s.time() }),
      entity('GroupOwner', {
        id: s.id().describe('The id of the group.'),
        name: s.text().describe('The name of the group.'),
        created_at: s.time().describe('When it was created.'),
      }),
    ])
    .describe('The owner of a personal project, or the group of any other.'),
  permissions: s
    .object({
      project_access: permissionShape.describe('Membership of the project itself.'),
      group_access: permissionShape.describe('Membership of its group.'),
    })
    .describe('The levels of the current user.'),
  statistics: s
    .object({
      commit_count: s.int(),
      storage_size: s.int(),
      repository_size: s.int(),
      lfs_objects_size: s.int(),
      job_artifacts_size: s.int(),
    })
    .optional()
    .describe('Commits, and the storage that the project uses, in bytes.'),
  runners_token: s.text().nullable().optional().describe('Registers runners; for masters.'),
});

/** A project in a listing: complete, with permissions, if requested. */
export const listedProject = shaped(
  z.union([fullProjectShape, selected(simpleProjectFields)]),
  (project: ListedRecord, site: Site) => (isFull(project) ? fullProject(project, site) : project),
);

export const projectDetailFields = graphql(
  `fragment ProjectDetailFields on Project { ...ProjectFields access { runnersToken } }`,
  [projectFields],
);

type ProjectDetail = ResultOf<typeof projectDetailFields>;

/** A project by itself: as in listings, plus the runners token if the viewer may see it. */
export const project = shaped(fullProjectShape, (record: ProjectDetail, site: Site) => ({
  ...fullProject(record, site),
  ...(record.access.level >= master && { runners_token: record.access.runnersToken }),
}));

/** As `project`, in the short form for anonymous users. */
export const shownProjectFields = graphql(
  `
    fragment ShownProjectFields on Project {
      ...ListedProjectFields
      access @include(if: $isFull) { runnersToken }
    }
  `,
  [listedProjectFields],
);

export const shownProject = shaped(
  z.union([fullProjectShape, selected(simpleProjectFields)]),
  (record: ResultOf<typeof shownProjectFields>, site: Site) =>
    isFull(record) ? project(record as ProjectDetail, site) : record,
);

const fullProject = ({ build_timeout, statistics, ...project }: ProjectRecord, { url }: Site) => {
  const { created_at, owner, ...namespace } = project.namespace;
  return {
    ...groupedProject(project),
    namespace,
    build_timeout,
    _links: linksOf(project, `${url}/api/v4/projects/${project.id}`),
    // the owner of a personal project, or the group of any other (decisions.md)
    owner: owner ?? { id: namespace.id, name: namespace.name, created_at },
    permissions: {
      project_access: permission(project.access.projectLevel),
      group_access: permission(project.access.groupLevel),
    },
    ...(statistics && { statistics }),
  };
};

const linksOf = (
  project: Pick<ProjectRecord, 'issues_enabled' | 'merge_requests_enabled'>,
  self: string,
) => ({
  self,
  ...(project.issues_enabled && { issues: `${self}/issues` }),
  ...(project.merge_requests_enabled && { merge_requests: `${self}/merge_requests` }),
  repo_branches: `${self}/repository/branches`,
  labels: `${self}/labels`,
  events: `${self}/events`,
  members: `${self}/members`,
});

const permission = (level: number | null) =>
  level === null ? null : { access_level: level, notification_level: globalNotification };
