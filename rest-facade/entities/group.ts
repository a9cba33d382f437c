import { z } from 'zod';
import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { changed, s, shaped, shapeOf } from '../kernel/shape.ts';
import { groupedProject, groupedProjectFields, groupedProjectShapes } from './project.ts';

/** The fields of a group in every response (v4-behaviour 2.4). */
const groupFields = graphql(`
  fragment GroupFields on Group {
    id name path description visibility lfs_enabled: lfsEnabled avatar_url: avatarUrl
    web_url: webUrl request_access_enabled: requestAccessEnabled full_name: fullName
    full_path: fullPath parent_id: parentId
  }
`);

export const listedGroupFields = graphql(
  `
    fragment ListedGroupFields on Group {
      ...GroupFields
      statistics @include(if: $withStatistics) {
        storage_size: storageSize repository_size: repositorySize
        lfs_objects_size: lfsObjectsSize job_artifacts_size: jobArtifactsSize
      }
    }
  `,
  [groupFields],
);

/** A group in a listing; administrators can request its statistics. */
export const listedGroup = shaped(
  changed('ListedGroup', groupFields, [], {
    statistics: s
      .object({
        storage_size: s.int(),
        repository_size: s.int(),
        lfs_objects_size: s.int(),
        job_artifacts_size: s.int(),
      })
      .optional()
      .describe('The storage that the group uses, in bytes.'),
  }),
  ({ statistics, ...group }: ResultOf<typeof listedGroupFields>) => ({
    ...group,
    ...(statistics && { statistics }),
  }),
);

export const groupDetailFields = graphql(
  `
    fragment GroupDetailFields on Group {
      ...GroupFields
      projects(perPage: 100, filter: { archived: include }) {
        nodes { ...GroupedProjectFields }
      }
      shared_projects: sharedProjects(perPage: 100, filter: { archived: include }) {
        nodes { ...GroupedProjectFields }
      }
    }
  `,
  [groupFields, groupedProjectFields],
);

type GroupDetail = ResultOf<typeof groupDetailFields>;
type GroupedProject = GroupDetail['projects']['nodes'][number];

/** A group with its first hundred projects; the listing of its projects has all of them. */
export const groupDetail = shaped(
  changed('Group', groupDetailFields, [], {
    projects: z.array(shapeOf(groupedProject)),
    shared_projects: z.array(shapeOf(groupedProject)),
  }),
  (group: GroupDetail) => ({
    ...group,
    projects: group.projects.nodes.map(groupedProject),
    shared_projects: group.shared_projects.nodes.map(groupedProject),
  }),
);

const changedProject = shaped(
  changed('ChangedGroupProject', groupedProjectFields, ['access'], {
    ...groupedProjectShapes,
    public: s.flag().describe('Whether the project is public.'),
  }),
  (project: GroupedProject) => ({
    ...groupedProject(project),
    public: project.visibility === 'public',
  }),
);

/** The response to a change: each project also says whether it is public. */
export const changedGroup = shaped(
  changed('ChangedGroup', groupDetailFields, [], {
    projects: z.array(shapeOf(changedProject)),
    shared_projects: z.array(shapeOf(changedProject)),
  }),
  (group: GroupDetail) => ({
    ...group,
    projects: group.projects.nodes.map(changedProject),
    shared_projects: group.shared_projects.nodes.map(changedProject),
  }),
);
