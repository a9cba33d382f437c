import { graphql, type ResultOf } from '../../schema/client/graphql.ts';

export const milestoneFields = graphql(`
  fragment MilestoneFields on Milestone {
    id iid projectId groupId title description state startDate dueDate createdAt updatedAt
  }
`);

/** A milestone of a project or of a group (v4-behaviour 3.9). */
export const milestone = (record: ResultOf<typeof milestoneFields>) => ({
  id: record.id,
  iid: record.iid,
  ...(record.projectId === null ? { group_id: record.groupId } : { project_id: record.projectId }),
  title: record.title,
  description: record.description,
  state: record.state,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
  due_date: record.dueDate,
  start_date: record.startDate,
});
