import { Prisma } from '../../prisma/client.ts';
import { findCommitToDiscuss } from '../commits/discuss.ts';
import { canEditComment } from '../commits/policy.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, notFound, recordNotFound } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { discussionKey, startedByOf } from '../notes/discussion-key.ts';

/** Where a commit's comments are stored. */
export interface CommitPlace {
  readonly projectId: number;
  readonly sha: string;
}

export interface FoundCommitDiscussion {
  readonly firstCommentId: number;
  /** The id of the comment that started it. */
  readonly startedBy: number;
  /** Whether it is a single comment, to which there can be no replies. */
  readonly isIndividual: boolean;
}

/** The discussion of a commit with this key; throws if there is none. */
export async function findCommitDiscussion(
  { projectId, sha }: CommitPlace,
  key: string,
  { db }: Pick<Context, 'db'>,
): Promise<FoundCommitDiscussion> {
  const startedBy = startedByOf('comment', key);
  if (startedBy === null) throw notFound('Discussion');
  const [discussion] = await db.$queryRaw<FoundCommitDiscussion[]>`
    SELECT id AS "firstCommentId", ${startedBy}::int AS "startedBy",
      threads.comment_id IS NULL AND path IS NULL AS "isIndividual"
    FROM commit_comments LEFT JOIN thread_comments threads ON threads.comment_id = commit_comments.id
    WHERE id = coalesce(
        (SELECT first_comment_id FROM thread_comments WHERE started_by = ${startedBy} LIMIT 1),
        ${startedBy})
      AND project_id = ${projectId} AND sha = ${sha}
      AND NOT is_reply AND coalesce(threads.started_by, id) = ${startedBy}`;
  if (!discussion) throw notFound('Discussion');
  return discussion;
}

/** The condition that a comment is on a commit, and in the discussion with this key. */
export function commentCondition(
  { projectId, sha }: CommitPlace,
  key: string,
  id: number,
): Prisma.Sql {
  const startedBy = startedByOf('comment', key);
  if (startedBy === null) return Prisma.sql`false`;
  return Prisma.sql`id = ${id} AND project_id = ${projectId} AND sha = ${sha} AND ${startedBy} =
    coalesce((SELECT started_by FROM thread_comments WHERE comment_id = ${id}), ${id})`;
}

interface CommentRef {
  readonly project: string;
  readonly sha: string;
  /** The key of the discussion that the comment must be part of, if a client names one. */
  readonly discussion?: string | null | undefined;
  readonly id: number;
}

const needed = {
  id: true,
  authorId: true,
  createdAt: true,
  updatedAt: true,
  thread: { select: { startedBy: true } },
} as const;

/** A comment on a commit that the viewer may change; throws otherwise. */
export async function findOwnComment({ id, discussion, ...ref }: CommentRef, ctx: Context) {
  const { project, commit } = await findCommitToDiscuss(ref, ctx);
  const comment = await ctx.db.commitComment.findFirst({
    relationLoadStrategy: 'join',
    where: { id, projectId: project.id, sha: commit.id },
    select: needed,
  });
  const key = comment && discussionKey('comment', comment.thread?.startedBy ?? comment.id);
  if (!comment || (typeof discussion === 'string' && discussion !== key)) throw recordNotFound();
  if (!canEditComment(signedIn(ctx), project.level, comment)) throw forbidden();
  return comment;
}
