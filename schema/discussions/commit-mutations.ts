import { CommitComment } from '../commits/comments.ts';
import { bodyFaults, findCommitToDiscuss } from '../commits/discuss.ts';
import { positionOf } from '../diff-positions/check.ts';
import { DiffPositionInput } from '../diff-positions/types.ts';
import { canSetCreatedAt } from '../issues/policy.ts';
import type { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { refuseFaults } from '../kernel/errors.ts';
import { internal, publiclyTyped } from '../kernel/public.ts';
import { done } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { storedRecord } from '../listing/records.ts';
import { positionInCommit } from './check-position.ts';
import {
  changeCommitComment,
  createCommitDiscussion,
  deleteCommitComment,
  replyToCommitDiscussion,
} from './commit-create.ts';
import { findCommitDiscussion, findOwnComment } from './commit-find.ts';
import { CommitDiscussion } from './commit-types.ts';

const commitArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project.' }),
  sha: t.string({
    required: true,
    description: 'The id of the commit.',
    extensions: publiclyTyped('SHA'),
  }),
}));

const bodyArg = builder.args((t) => ({
  body: t.string({
    required: true,
    description: 'The text in Markdown, at most 1,000,000 characters.',
  }),
}));

const commentArgs = builder.args((t) => ({
  ...commitArgs,
  discussion: t.string({
    extensions: internal,
    description: 'The id of the discussion that the comment must be part of.',
  }),
  id: t.int({ required: true, description: 'The id of the comment.' }),
}));

const createdAtArg = builder.args((t) => ({
  createdAt: t.field({
    type: 'DateTime',
    description:
      'The time of creation, for imports; ignored unless the current user is an owner or administrator.',
  }),
}));

builder.mutationFields((t) => ({
  createCommitDiscussion: t.prismaField({
    type: CommitDiscussion,
    complexity: walkCost,
    description: 'Starts a thread on a commit. Signed-in users who can read the code may do it.',
    args: {
      ...commitArgs,
      ...bodyArg,
      ...createdAtArg,
      position: t.arg({
        type: DiffPositionInput,
        description:
          'The place in the diff of the commit that it is about; null for the commit as a whole.',
      }),
    },
    resolve: async (query, _root, { body, createdAt, position, ...ref }, ctx) => {
      const { project, commit } = await findCommitToDiscuss(ref, ctx);
      const comment = newComment({ body, createdAt }, project.level);
      const checked = position ? await positionInCommit(commit, positionOf(position), ctx) : null;
      const place = { projectId: project.id, sha: commit.id, authorId: signedIn(ctx).id };
      const id = await createCommitDiscussion({ ...comment, ...place }, checked, ctx);
      return storedRecord(ctx, 'commitComment', id, query);
    },
  }),
  replyToCommitDiscussion: t.prismaField({
    type: CommitComment,
    description:
      'Adds a comment to a thread on a commit. Signed-in users who can read the code may do it.',
    args: {
      ...commitArgs,
      discussion: t.arg.string({ required: true, description: 'The key of the discussion.' }),
      ...bodyArg,
      ...createdAtArg,
    },
    resolve: async (query, _root, { body, createdAt, discussion: key, ...ref }, ctx) => {
      const { project, commit } = await findCommitToDiscuss(ref, ctx);
      const place = { projectId: project.id, sha: commit.id };
      const discussion = await findCommitDiscussion(place, key, ctx);
      const comment = newComment({ body, createdAt }, project.level);
      const authorId = signedIn(ctx).id;
      const id = await replyToCommitDiscussion(discussion, { ...comment, ...place, authorId }, ctx);
      return storedRecord(ctx, 'commitComment', id, query);
    },
  }),
  updateCommitComment: t.prismaField({
    type: CommitComment,
    description:
      'Changes the text of a comment on a commit. Only the author and masters may do it.',
    args: { ...commentArgs, ...bodyArg },
    resolve: async (query, _root, { body, ...ref }, ctx) => {
      const { id } = await findOwnComment(ref, ctx);
      refuseFaults({ body: bodyFaults(body) });
      await changeCommitComment(id, body, ctx);
      return storedRecord(ctx, 'commitComment', id, query);
    },
  }),
  deleteCommitComment: t.id({
    extensions: { identifies: 'CommitComment' },
    description:
      'Deletes a comment on a commit; replies to it stay. Only the author and masters may do it.',
    args: commentArgs,
    resolve: async (_root, ref, ctx) => {
      const comment = await findOwnComment(ref, ctx);
      return done(deleteCommitComment(comment, ctx), comment.id);
    },
  }),
}));

/** Throws if the comment is invalid; `createdAt` counts only if the viewer may set it. */
function newComment(
  input: { readonly body: string; readonly createdAt?: Date | null | undefined },
  level: Access,
) {
  const createdAt = canSetCreatedAt(level) ? (input.createdAt ?? null) : null;
  const isFuture = createdAt !== null && createdAt.getTime() > Date.now();
  refuseFaults({
    body: bodyFaults(input.body),
    createdAt: isFuture ? ["can't be in the future"] : [],
  });
  return { body: input.body, createdAt };
}
