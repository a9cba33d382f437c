import { z } from 'zod';
import {
  changes,
  commit,
  flag,
  integer,
  label,
  part,
  project,
  repository,
  sha,
  text,
  time,
  user,
} from './parts.ts';

/** The fields that notes name, too. */
export const mergeRequestFields = {
  id: integer('The id.'),
  iid: integer('The number within the target project.'),
  title: text('The title.'),
  description: text('The description.').nullable(),
  state: z.enum(['opened', 'closed', 'locked', 'merged']).describe('The state.'),
  source_branch: text('The branch with the changes.'),
  target_branch: text('The branch that gets the changes.'),
  source_project_id: integer('The id of the source project; null if it was deleted.').nullable(),
  target_project_id: integer('The id of the target project.'),
  author_id: integer('The id of the author; null if the user was deleted.').nullable(),
  assignee_id: integer('The id of the assignee.').nullable(),
  milestone_id: integer('The id of the milestone.').nullable(),
  merge_status: z
    .enum(['unchecked', 'can_be_merged', 'cannot_be_merged'])
    .describe('Whether it can be merged without conflicts.'),
  created_at: time('When it was created.'),
  updated_at: time('When it was last changed.'),
};

const mergeRequestLabel = part('WebhookMergeRequestLabel', 'A label of a merge request.', {
  ...label.shape,
  template: z.literal(false).describe('Always false.'),
});

export const mergeRequest = part('MergeRequestPayload', 'A new or changed merge request.', {
  object_kind: z.literal('merge_request').describe('The kind of the event.'),
  user: user.describe('The user who changed it; null if it changed by itself.').nullable(),
  project: project.describe('The target project.'),
  object_attributes: z
    .strictObject({
      ...mergeRequestFields,
      merge_commit_sha: sha('The merge commit.').nullable(),
      merge_user_id: integer('The id of the user who merged it.').nullable(),
      merge_when_pipeline_succeeds: flag('Whether it is merged when its pipeline succeeds.'),
      work_in_progress: flag('Whether its title marks it as unfinished.'),
      time_estimate: integer('The estimate in seconds.'),
      total_time_spent: integer('The time spent in seconds.'),
      human_time_estimate: text('The estimate: `3h 30m`.').nullable(),
      human_total_time_spent: text('The time spent: `1h`.').nullable(),
      url: text('The URL of its page.'),
      source: project.describe('The source project; null if it was deleted.').nullable(),
      target: project.describe('The target project.'),
      last_commit: commit.describe('The head of the source branch; null if it is lost.').nullable(),
      action: z.enum(['open', 'update', 'close', 'reopen', 'merge']).describe('What happened.'),
    })
    .describe('The merge request.'),
  labels: z.array(mergeRequestLabel).describe('The labels.'),
  changes,
  repository: repository.describe('The repository of the project.'),
  assignee: user.describe('The assignee; missing if it has none.').optional(),
});

export type MergeRequestPayload = z.infer<typeof mergeRequest>;
