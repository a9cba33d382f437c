import type { Transaction } from '../../prisma/client.ts';
import type { CheckedPosition } from '../diff-positions/check.ts';
import { copyPosition, storePosition } from '../diff-positions/store.ts';
import type { Context } from '../kernel/context.ts';
import { notFound, recordNotFound } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { refuseLargeThread } from '../notes/thread-limits.ts';
import type { CommitPlace, FoundCommitDiscussion } from './commit-find.ts';
import { isIndividualNote } from './create.ts';

interface NewComment extends CommitPlace {
  readonly body: string;
  readonly authorId: number;
  /** Now if it is null. */
  readonly createdAt: Date | null;
}

const columnsOf = ({ projectId, sha, body, authorId, createdAt }: NewComment) => ({
  ...{ projectId, sha, authorId, note: body },
  ...(createdAt && { createdAt }),
});

/** Starts a thread on a commit, and gives the id of its first comment. */
export const createCommitDiscussion = (
  comment: NewComment,
  position: CheckedPosition | null,
  { db }: Pick<Context, 'db'>,
): Promise<number> =>
  transact(db, async (tx) => {
    const { id } = await tx.commitComment.create({
      data: { ...columnsOf(comment), ...(position && lineOf(position)) },
      select: { id: true },
    });
    await tx.threadComment.create({
      data: { commentId: id, firstCommentId: id, startedBy: id },
      select: { commentId: true },
    });
    if (position) await storePosition(tx, { commentId: id }, position);
    return id;
  });

/** The line as comments without a position name it. */
function lineOf({ oldPath, newPath, oldLine, newLine }: CheckedPosition) {
  if (newLine !== null) return { path: newPath, line: newLine, lineType: 'new' as const };
  if (oldLine !== null) return { path: oldPath, line: oldLine, lineType: 'old' as const };
  return { path: newPath };
}

/** Replies to a thread on a commit, and gives the id of the comment. */
export const replyToCommitDiscussion = (
  { firstCommentId, startedBy, isIndividual }: FoundCommitDiscussion,
  comment: NewComment,
  { db }: Pick<Context, 'db'>,
): Promise<number> =>
  transact(db, async (tx) => {
    if (isIndividual) throw isIndividualNote();
    const line = await lockFirst(tx, firstCommentId);
    const { id } = await tx.commitComment.create({
      data: { ...columnsOf(comment), ...line, isReply: true },
      select: { id: true },
    });
    // a comment on a line is no thread until it has a reply
    await tx.threadComment.createMany({
      data: [firstCommentId, id].map((commentId) => ({ commentId, firstCommentId, startedBy })),
      skipDuplicates: true,
    });
    await refuseLargeThread(tx, 'comment', id);
    await copyPosition(tx, 'comment_id', { from: firstCommentId, to: id });
    return id;
  });

/** Locks the first comment of a thread, and gives its line. Throws if it was deleted meanwhile. */
async function lockFirst(tx: Transaction, id: number) {
  await tx.$queryRaw`SELECT id FROM commit_comments WHERE id = ${id} FOR NO KEY UPDATE`;
  const first = await tx.commitComment.findUnique({
    where: { id },
    select: { path: true, line: true, lineType: true },
  });
  if (!first) throw notFound('Discussion');
  return first;
}

/** Changes the text of a comment. */
export const changeCommitComment = (
  id: number,
  body: string,
  { db }: Pick<Context, 'db'>,
): Promise<void> =>
  transact(db, async (tx) => {
    const data = { note: body, updatedAt: new Date() };
    const { count } = await tx.commitComment.updateMany({ where: { id }, data });
    if (count === 0) throw recordNotFound();
    await refuseLargeThread(tx, 'comment', id);
  });

/** Deletes a comment; the first reply to it, if there is one, becomes the first of the thread. */
export async function deleteCommitComment(
  comment: { readonly id: number; readonly createdAt: Date; readonly updatedAt: Date | null },
  ctx: Pick<Context, 'db' | 'request'>,
): Promise<void> {
  refuseModified({ updatedAt: comment.updatedAt ?? comment.createdAt }, ctx);
  const { id } = comment;
  await transact(ctx.db, async (tx) => {
    await tx.$queryRaw`SELECT id FROM commit_comments WHERE id = ${id} FOR UPDATE`;
    await keepReplies(tx, id);
    const { count } = await tx.commitComment.deleteMany({ where: { id } });
    if (count === 0) throw recordNotFound();
  });
}

async function keepReplies(tx: Transaction, id: number): Promise<void> {
  const next = await tx.threadComment.findFirst({
    where: { firstCommentId: id, commentId: { not: id } },
    orderBy: { commentId: 'asc' },
    select: { commentId: true },
  });
  if (!next) return;
  const { commentId } = next;
  await tx.commitComment.update({ where: { id: commentId }, data: { isReply: false } });
  await tx.threadComment.updateMany({
    where: { firstCommentId: id },
    data: { firstCommentId: commentId },
  });
}
