import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { groupedProject, groupedProjectFields } from './project.ts';

export const groupFields = graphql(`
  fragment GroupFields on Group {
    id name path description visibility lfsEnabled avatarUrl webUrl requestAccessEnabled
    fullName fullPath parentId
  }
`);

/** The fields of a group in every response (v4-behaviour 2.4). */
export const group = (record: ResultOf<typeof groupFields>) => ({
  id: record.id,
  name: record.name,
  path: record.path,
  description: record.description,
  visibility: record.visibility,
  lfs_enabled: record.lfsEnabled,
  avatar_url: record.avatarUrl,
  web_url: record.webUrl,
  request_access_enabled: record.requestAccessEnabled,
  full_name: record.fullName,
  full_path: record.fullPath,
  parent_id: record.parentId,
});

export const listedGroupFields = graphql(
  `
    fragment ListedGroupFields on Group {
      ...GroupFields
      statistics @include(if: $withStatistics) {
        storageSize repositorySize lfsObjectsSize jobArtifactsSize
      }
    }
  `,
  [groupFields],
);

/** A group in a listing; administrators can request its statistics. */
export const listedGroup = (record: ResultOf<typeof listedGroupFields>) => ({
  ...group(record),
  ...(record.statistics && {
    statistics: {
      storage_size: record.statistics.storageSize,
      repository_size: record.statistics.repositorySize,
      lfs_objects_size: record.statistics.lfsObjectsSize,
      job_artifacts_size: record.statistics.jobArtifactsSize,
    },
  }),
});

export const groupDetailFields = graphql(
  `
    fragment GroupDetailFields on Group {
      ...GroupFields
      projects(perPage: 100, filter: { includesArchived: true }) {
        nodes { ...GroupedProjectFields }
      }
      sharedProjects(perPage: 100, filter: { includesArchived: true }) {
        nodes { ...GroupedProjectFields }
      }
    }
  `,
  [groupFields, groupedProjectFields],
);

type GroupDetail = ResultOf<typeof groupDetailFields>;

/** A group with its first hundred projects; the listing of its projects has all of them. */
export const groupDetail = (record: GroupDetail) => ({
  ...group(record),
  projects: record.projects.nodes.map(groupedProject),
  shared_projects: record.sharedProjects.nodes.map(groupedProject),
});

/** The response to a change: each project also says whether it is public. */
export const changedGroup = (record: GroupDetail) => ({
  ...group(record),
  projects: record.projects.nodes.map(openProject),
  shared_projects: record.sharedProjects.nodes.map(openProject),
});

const openProject = (project: GroupDetail['projects']['nodes'][number]) => ({
  ...groupedProject(project),
  public: project.visibility === 'public',
});
