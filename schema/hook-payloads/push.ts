import { z } from 'zod';
import { integer, part, project, pushedCommit, repository, sha, text } from './parts.ts';

const pusher = {
  user_id: integer('The id of the user who pushed.'),
  user_name: text('The full name of the user.'),
  user_username: text('The username.'),
  user_avatar: text("The URL of the user's picture.").nullable(),
};

const kindOf = <Kind extends string>(kind: Kind) =>
  z.literal(kind).describe('The kind of the event.');

const pushFields = <Kind extends 'push' | 'tag_push'>(kind: Kind, ref: string) => ({
  object_kind: kindOf(kind),
  event_name: kindOf(kind),
  before: sha('The SHA before the push; zeros if the reference is new.'),
  after: sha('The SHA after the push; zeros if the reference was deleted.'),
  ref: text(ref),
  checkout_sha: sha('The commit to check out; null if the reference was deleted.').nullable(),
  message: text('The message of an annotated tag.').nullable(),
  ...pusher,
  project_id: integer('The id of the project.'),
  project: project.describe('The project.'),
  commits: z
    .array(pushedCommit)
    .describe('The newest of the commits that were pushed, the oldest first; at most 20.'),
  total_commits_count: integer('The number of commits that were pushed.'),
  repository: repository.describe('The repository of the project.'),
});

export const push = part(
  'PushPayload',
  'A push of a branch.',
  pushFields('push', 'The full name of the branch: `refs/heads/master`.'),
);

export const tagPush = part(
  'TagPushPayload',
  'A push of a tag.',
  pushFields('tag_push', 'The full name of the tag: `refs/tags/v1.0`.'),
);

export const repositoryUpdate = part(
  'RepositoryUpdatePayload',
  'A push as a whole, with all its references.',
  {
    event_name: kindOf('repository_update'),
    ...pusher,
    project_id: integer('The id of the project.'),
    project: project.describe('The project.'),
    changes: z
      .array(
        part('WebhookReferenceChange', 'A changed reference.', {
          before: sha('The SHA before; zeros if it is new.'),
          after: sha('The SHA after; zeros if it was deleted.'),
          ref: text('The full name.'),
        }),
      )
      .describe('The changed references.'),
    refs: z.array(z.string()).describe('The full names of the changed references.'),
  },
);

export type PushPayload = z.infer<typeof push> | z.infer<typeof tagPush>;
export type PushedCommitPayload = z.infer<typeof pushedCommit>;
export type RepositoryUpdatePayload = z.infer<typeof repositoryUpdate>;
