import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { changed, s, shaped } from '../kernel/shape.ts';

export const milestoneFields = graphql(`
  fragment MilestoneFields on Milestone {
    id iid project_id: projectId group_id: groupId title description state
    created_at: createdAt updated_at: updatedAt due_date: dueDate start_date: startDate
  }
`);

/** A milestone, with the id of its project or of its group (v4-behaviour 3.9). */
export const milestone = shaped(
  changed('Milestone', milestoneFields, [], {
    project_id: s.id().optional(),
    group_id: s.id().optional(),
  }),
  (record: ResultOf<typeof milestoneFields>) => ({
    ...record,
    project_id: record.project_id ?? undefined,
    group_id: record.group_id ?? undefined,
  }),
);
