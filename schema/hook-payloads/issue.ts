import { z } from 'zod';
import {
  changes,
  flag,
  integer,
  label,
  part,
  project,
  repository,
  text,
  time,
  user,
} from './parts.ts';

/** Without the action, as notes name it. */
export const issueFields = {
  id: integer('The id.'),
  iid: integer('The number within the project.'),
  title: text('The title.'),
  description: text('The description.').nullable(),
  state: z.enum(['opened', 'closed']).describe('The state.'),
  author_id: integer('The id of the author; null if the user was deleted.').nullable(),
  assignee_id: integer('The id of the first assignee.').nullable(),
  assignee_ids: z.array(z.int()).describe('The ids of the assignees.'),
  project_id: integer('The id of the project.'),
  milestone_id: integer('The id of the milestone.').nullable(),
  moved_to_id: integer('The id of the issue that it was moved to.').nullable(),
  created_at: time('When it was created.'),
  updated_at: time('When it was last changed.'),
  closed_at: time('When it was closed.').nullable(),
  due_date: z.iso.date().describe('The due date.').nullable(),
  confidential: flag('Whether it is confidential.'),
  discussion_locked: flag('Whether only members may comment.').nullable(),
  time_estimate: integer('The estimate in seconds.'),
  total_time_spent: integer('The time spent in seconds.'),
  url: text('The URL of its page.'),
};

export const issue = part('IssuePayload', 'A new or changed issue.', {
  object_kind: z.literal('issue').describe('The kind of the event.'),
  user: user.describe('The user who changed it.'),
  project: project.describe('The project of the issue.'),
  object_attributes: z
    .strictObject({
      ...issueFields,
      action: z.enum(['open', 'update', 'close', 'reopen']).describe('What happened.'),
    })
    .describe('The issue.'),
  assignees: z.array(user).describe('The assignees.'),
  assignee: user.describe('The first assignee; missing if it has none.').optional(),
  labels: z.array(label).describe('The labels.'),
  changes,
  repository: repository.describe('The repository of the project.'),
});

export type IssuePayload = z.infer<typeof issue>;
