import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { groupedProject, groupedProjectFields } from './project.ts';

export const groupFields = graphql(`
  fragment GroupFields on Group {
    id name path description visibility isLfsEnabled webUrl isRequestAccessEnabled
    fullName fullPath parentId
  }
`);

/** A group as a listing shows it (v4-behaviour 2.4). */
export const group = (record: ResultOf<typeof groupFields>) => ({
  id: record.id,
  name: record.name,
  path: record.path,
  description: record.description,
  visibility: record.visibility,
  lfs_enabled: record.isLfsEnabled,
  avatar_url: null,
  web_url: record.webUrl,
  request_access_enabled: record.isRequestAccessEnabled,
  full_name: record.fullName,
  full_path: record.fullPath,
  parent_id: record.parentId,
});

export const groupDetailFields = graphql(
  `
    fragment GroupDetailFields on Group {
      ...GroupFields
      projects(perPage: 100) { nodes { ...GroupedProjectFields } }
    }
  `,
  [groupFields, groupedProjectFields],
);

/** A group with the first hundred of its projects; the listing of its projects has them all. */
export const groupDetail = (record: ResultOf<typeof groupDetailFields>) => ({
  ...group(record),
  projects: record.projects.nodes.map(groupedProject),
  shared_projects: [],
});

/** What a change answers with: each project also says whether it is public. */
export const changedGroup = (record: ResultOf<typeof groupDetailFields>) => ({
  ...groupDetail(record),
  projects: record.projects.nodes.map((project) => ({
    ...groupedProject(project),
    public: project.visibility === 'public',
  })),
});
