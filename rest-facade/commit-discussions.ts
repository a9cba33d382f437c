import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import {
  position,
  positionFields,
  positionInput,
  positionParam,
  positionShape,
} from './entities/diff-position.ts';
import { discussionId, isIndividual, key } from './entities/discussion.ts';
import { newNoteParams } from './entities/note.ts';
import { mayRead } from './entities/repository.ts';
import { basicUserFields } from './entities/user.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { changed, entity, s, shaped, shapeOf } from './kernel/shape.ts';

const commentFields = graphql(
  `
    fragment CommentFields on CommitComment {
      id type body attachment: __typename author { ...BasicUserFields }
      created_at: createdAt updated_at: updatedAt position { ...PositionFields }
    }
  `,
  [basicUserFields, positionFields],
);

const comment = shaped(
  changed('CommitNote', commentFields, [], {
    attachment: z.null().describe('Comments have no attachments.'),
    system: z.literal(false).describe('Always false.'),
    noteable_id: z.null().describe('Always null: a commit has no number.'),
    noteable_type: z.literal('Commit').describe('What the comment is on.'),
    noteable_iid: z.null().describe('Always null.'),
    resolvable: z
      .literal(false)
      .describe('Always false: only notes on merge requests are resolved.'),
    position: positionShape.optional().describe('The place in the diff; only of a DiffNote.'),
  }),
  ({ position: at, ...record }: ResultOf<typeof commentFields>) => ({
    ...record,
    attachment: null,
    system: false as const,
    noteable_id: null,
    noteable_type: 'Commit' as const,
    noteable_iid: null,
    resolvable: false as const,
    ...(at && { position: position(at) }),
  }),
);

const discussionFields = graphql(
  `
    fragment CommitDiscussionFields on CommitDiscussion {
      id: key individual_note: isIndividual
      firstComment { ...CommentFields } replies { ...CommentFields }
    }
  `,
  [commentFields],
);

const discussion = shaped(
  entity('CommitDiscussion', {
    id: key,
    individual_note: isIndividual,
    notes: s.list(shapeOf(comment)).describe('The comments, the oldest first.'),
  }),
  ({ id, individual_note, firstComment, replies }: ResultOf<typeof discussionFields>) => ({
    id,
    individual_note,
    notes: [firstComment, ...replies].map((record) => comment(record)),
  }),
);

const common = {
  access: 'signed in',
  before: mayRead,
  description: 'From GitLab 10.6.',
} as const;
const path = '/projects/:id/repository/commits/:sha/discussions';
const single = `${path}/:discussion_id` as const;
const singleNote = `${single}/notes/:note_id` as const;
const commitRef = { ...ref, sha: p.text() };
const discussionRef = { ...commitRef, discussion_id: discussionId };
const noteRef = { ...discussionRef, note_id: p.id() };

const list = route({
  ...common,
  method: 'get',
  path,
  params: z.object(commitRef),
  document: graphql(
    `query CommitDiscussions($id: ID!, $sha: String!, $page: Int, $perPage: Int) {
      repository(project: $id) {
        commit(ref: $sha) {
          page: discussions(page: $page, perPage: $perPage) {
            total nodes { ...CommitDiscussionFields }
          }
        }
      }
    }`,
    [discussionFields],
  ),
  reshape: discussion,
});

const show = route({
  ...common,
  method: 'get',
  path: single,
  params: z.object(discussionRef),
  document: graphql(
    `query CommitDiscussion($id: ID!, $sha: String!, $discussion_id: String!) {
      repository(project: $id) {
        commit(ref: $sha) {
          result: discussion(discussion: $discussion_id) { ...CommitDiscussionFields }
        }
      }
    }`,
    [discussionFields],
  ),
  reshape: discussion,
});

const listNotes = route({
  ...common,
  method: 'get',
  path: `${single}/notes`,
  params: z.object(discussionRef),
  document: graphql(
    `query CommentsOfDiscussion($id: ID!, $sha: String!, $discussion_id: String!) {
      repository(project: $id) {
        commit(ref: $sha) {
          result: discussion(discussion: $discussion_id) { ...CommitDiscussionFields }
        }
      }
    }`,
    [discussionFields],
  ),
  response: s.list(shapeOf(comment)),
  reshape: (record) => discussion(record).notes,
});

const showNote = route({
  ...common,
  method: 'get',
  path: singleNote,
  params: z.object(noteRef),
  document: graphql(
    `query CommentOfDiscussion(
      $id: ID!, $sha: String!, $discussion_id: String!, $note_id: Int!
    ) {
      repository(project: $id) {
        commit(ref: $sha) {
          result: discussionComment(discussion: $discussion_id, id: $note_id) { ...CommentFields }
        }
      }
    }`,
    [commentFields],
  ),
  reshape: comment,
});

const create = route({
  ...common,
  method: 'post',
  path,
  params: z.object({
    ...commitRef,
    ...newNoteParams,
    position: positionParam.describe('The place in the diff that the discussion is about.'),
  }),
  document: graphql(
    `mutation CreateCommitDiscussion(
      $id: ID!, $sha: String!, $body: String!, $created_at: DateTime, $position: DiffPositionInput
    ) {
      result: createCommitDiscussion(
        project: $id, sha: $sha, body: $body, createdAt: $created_at, position: $position
      ) { ...CommitDiscussionFields }
    }`,
    [discussionFields],
  ),
  variables: ({ position: given, ...params }) => ({ ...params, position: positionInput(given) }),
  reshape: discussion,
});

const reply = route({
  ...common,
  method: 'post',
  path: `${single}/notes`,
  params: z.object({ ...discussionRef, ...newNoteParams }),
  document: graphql(
    `mutation ReplyToCommitDiscussion(
      $id: ID!, $sha: String!, $discussion_id: String!, $body: String!, $created_at: DateTime
    ) {
      result: replyToCommitDiscussion(
        project: $id, sha: $sha, discussion: $discussion_id, body: $body, createdAt: $created_at
      ) { ...CommentFields }
    }`,
    [commentFields],
  ),
  reshape: comment,
});

const update = route({
  ...common,
  method: 'put',
  path: singleNote,
  params: z.object({ ...noteRef, body: p.text() }),
  document: graphql(
    `mutation UpdateCommitComment(
      $id: ID!, $sha: String!, $discussion_id: String!, $note_id: Int!, $body: String!
    ) {
      result: updateCommitComment(
        project: $id, sha: $sha, discussion: $discussion_id, id: $note_id, body: $body
      ) { ...CommentFields }
    }`,
    [commentFields],
  ),
  reshape: comment,
});

const remove = route({
  ...common,
  method: 'delete',
  path: singleNote,
  params: z.object(noteRef),
  document: graphql(
    `mutation DeleteCommitComment(
      $id: ID!, $sha: String!, $discussion_id: String!, $note_id: Int!
    ) {
      deleteCommitComment(project: $id, sha: $sha, discussion: $discussion_id, id: $note_id)
    }`,
  ),
});

export const commitDiscussions = [list, show, create, listNotes, showNote, reply, update, remove];
