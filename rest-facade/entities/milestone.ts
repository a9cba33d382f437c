import { graphql, type ResultOf } from '../../schema/client/graphql.ts';

export const milestoneFields = graphql(`
  fragment MilestoneFields on Milestone {
    id iid project_id: projectId group_id: groupId title description state
    created_at: createdAt updated_at: updatedAt due_date: dueDate start_date: startDate
  }
`);

/** A milestone, with the id of its project or of its group (v4-behaviour 3.9). */
export const milestone = (record: ResultOf<typeof milestoneFields>) => ({
  ...record,
  [record.project_id === null ? 'project_id' : 'group_id']: undefined,
});
