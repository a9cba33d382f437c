import { positionOf } from '../diff-positions/check.ts';
import { DiffPositionInput } from '../diff-positions/types.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { walkCost } from '../kernel/cost.ts';
import { forbidden, invalid } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { storedRecord } from '../listing/records.ts';
import { currentHead } from '../merge-requests/current.ts';
import { findNoteable, type Noteable } from '../noteables/find.ts';
import { byNoteable } from '../noteables/node.ts';
import { NoteableInput } from '../noteables/types.ts';
import { refuseInvalidNote } from '../notes/create.ts';
import { findDiscussion } from '../notes/find.ts';
import { canDiscuss } from '../notes/policy.ts';
import { resolveDiscussion } from '../notes/resolve.ts';
import { Note } from '../notes/types.ts';
import { positionInMergeRequest } from './check-position.ts';
import { createDiscussion, replyToDiscussion } from './create.ts';
import { Discussion } from './types.ts';

const noteableArg = builder.args((t) => ({
  noteable: t.field({
    type: NoteableInput,
    required: true,
    description: 'The issue, merge request or snippet.',
  }),
}));

const discussionArgs = builder.args((t) => ({
  discussion: t.string({ required: true, description: 'The key of the discussion.' }),
}));

const noteArgs = builder.args((t) => ({
  body: t.string({
    required: true,
    description: 'The text in Markdown, at most 1,000,000 characters.',
  }),
  createdAt: t.field({
    type: 'DateTime',
    description:
      'The time of creation, for imports; ignored unless the current user is an owner or administrator.',
  }),
}));

builder.mutationFields((t) => ({
  createDiscussion: t.prismaField({
    extensions: byNoteable,
    complexity: walkCost,
    type: Discussion,
    description:
      'Starts a thread on an issue, merge request or snippet. Users who see it; only members if its discussion is locked.',
    args: {
      ...noteableArg,
      ...noteArgs,
      position: t.arg({
        type: DiffPositionInput,
        description:
          'The place in the diff of a merge request that it is about; null for the merge request as a whole.',
      }),
    },
    resolve: async (query, _root, { noteable: ref, position, ...note }, ctx) => {
      const viewer = signedIn(ctx);
      const noteable = await findNoteable(ref, ctx);
      if (!canDiscuss(noteable)) throw forbidden();
      refuseInvalidNote(note, noteable);
      const checked = position ? await checkedPosition(noteable, position, ctx) : null;
      const id = await createDiscussion(noteable, { ...note, position: checked }, viewer, ctx);
      return storedRecord(ctx, 'note', id, query);
    },
  }),
  replyToDiscussion: t.prismaField({
    extensions: byNoteable,
    type: Note,
    description:
      'Adds a note to a thread. Users who see it; only members if the discussion is locked. A reply to a resolved thread is resolved.',
    args: { ...noteableArg, ...discussionArgs, ...noteArgs },
    resolve: async (query, _root, { noteable: ref, discussion: key, ...note }, ctx) => {
      const viewer = signedIn(ctx);
      const noteable = await findNoteable(ref, ctx);
      const discussion = await findDiscussion(noteable, key, ctx);
      if (!canDiscuss(noteable)) throw forbidden();
      refuseInvalidNote(note, noteable);
      const id = await replyToDiscussion(noteable, discussion, note, viewer, ctx);
      return storedRecord(ctx, 'note', id, query);
    },
  }),
  resolveDiscussion: t.prismaField({
    extensions: byNoteable,
    type: Discussion,
    description:
      'Resolves all notes of a thread on a merge request, or opens it again. Developers and the author of the merge request may do it.',
    args: {
      ...noteableArg,
      ...discussionArgs,
      isResolved: t.arg.boolean({
        required: true,
        description: 'Whether the thread is resolved.',
      }),
    },
    resolve: async (query, _root, { noteable: ref, discussion: key, isResolved }, ctx) => {
      signedIn(ctx);
      const noteable = await findNoteable(ref, ctx);
      const discussion = await findDiscussion(noteable, key, ctx);
      await resolveDiscussion(noteable, discussion, isResolved, ctx);
      return storedRecord(ctx, 'note', discussion.firstNoteId, query);
    },
  }),
}));

async function checkedPosition(
  { kind, id }: Noteable,
  input: typeof DiffPositionInput.$inferInput,
  ctx: Context,
) {
  if (kind !== 'MergeRequest') throw invalid({ position: ['is only for merge requests'] });
  const { project, ...mergeRequest } = await ctx.db.mergeRequest.findUniqueOrThrow({
    relationLoadStrategy: 'join',
    where: { id },
    select: {
      ...{ state: true, sha: true, sourceProjectId: true, sourceBranch: true },
      project: { select: { id: true, storage: true, diskPath: true } },
    },
  });
  // as the client has read it: the stored head follows a push a moment later
  const sha = await currentHead(mergeRequest, project, ctx, ctx.request.signal);
  return positionInMergeRequest({ id, sha }, positionOf(input), ctx);
}
