import type { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { DomainError } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { abortAutomaticMerge } from '../merge-requests/consents.ts';
import { findMergeRequest, type MergeRequestWithProjects } from '../merge-requests/find.ts';
import { lockMergeRequest } from '../merge-requests/lock.ts';
import { canApprove } from '../merge-requests/policy.ts';
import { viewerOf } from '../sessions/viewer.ts';
import { recordSystemNotes } from '../system-notes/record.ts';
import { sentences } from '../system-notes/sentences.ts';
import { mayMergeInto } from './merge.ts';

type Parts = Pick<Context, 'db'>;

/** How many rows are read at once. */
const batch = 100;

/**
 * Ends the automatic merges of users who may no longer merge, each with a system note; of one user, or
 * of all if `userId` is null. Their end is checked again when they merge: this tells the users early.
 */
export async function reviewAutomaticMerges(userId: number | null, parts: Parts): Promise<void> {
  const { db } = parts;
  const where: Prisma.AutomaticMergeWhereInput =
    userId === null ? {} : { OR: [{ userId }, { userId: null }] };
  for (let last = 0, isFull = true; isFull; ) {
    const accepted = await db.automaticMerge.findMany({
      relationLoadStrategy: 'join',
      where: { ...where, mergeRequestId: { gt: last } },
      orderBy: { mergeRequestId: 'asc' },
      take: batch,
      select: {
        mergeRequestId: true,
        userId: true,
        mergeRequest: { select: { iid: true, projectId: true } },
      },
    });
    const viewers = await viewersOf(accepted, parts);
    for (const { mergeRequestId: id, mergeRequest, userId: byId } of accepted) {
      const viewer = (byId !== null && viewers.get(byId)) || null;
      if (viewer && (await mayMerge(mergeRequest, viewer, parts))) continue;
      const end = { userId: byId, reason: 'lostRight', acceptedBy: byId } as const;
      await transact(db, (tx) => abortAutomaticMerge(tx, id, end));
    }
    last = accepted.at(-1)?.mergeRequestId ?? last;
    isFull = accepted.length === batch;
  }
}

async function viewersOf(
  accepted: readonly { readonly userId: number | null }[],
  { db }: Parts,
): Promise<ReadonlyMap<number, Viewer>> {
  const viewers = new Map<number, Viewer>();
  for (const id of new Set(accepted.flatMap(({ userId }) => userId ?? []))) {
    const viewer = await viewerOf(db, id);
    if (viewer) viewers.set(id, viewer);
  }
  return viewers;
}

interface Located {
  readonly iid: number;
  readonly projectId: number;
}

/** Whether a rule holds for a user, who must see the merge request. */
async function holds(
  rule: (mergeRequest: MergeRequestWithProjects) => boolean | Promise<boolean>,
  { projectId, iid }: Located,
  ctx: Parts & { readonly viewer: Viewer },
): Promise<boolean> {
  try {
    return await rule(await findMergeRequest(String(projectId), iid, ctx));
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'UNAVAILABLE') throw error;
    return false;
  }
}

const mayMerge = (located: Located, viewer: Viewer, { db }: Parts): Promise<boolean> =>
  holds((mergeRequest) => mayMergeInto(mergeRequest, { db }), located, { db, viewer });

/** Withdraws the approvals of open merge requests by users who may no longer approve them. */
export async function reviewAllApprovals(parts: Parts): Promise<void> {
  const approvers = await parts.db.$queryRaw<{ userId: number }[]>`
    SELECT DISTINCT user_id AS "userId" FROM merge_request_approvals
    JOIN merge_requests ON merge_requests.id = merge_request_id WHERE state = 'opened'`;
  for (const { userId } of approvers) await reviewApprovals(userId, parts);
}

/** Withdraws a user's approvals of open merge requests that they may no longer approve. */
export async function reviewApprovals(userId: number, { db }: Parts): Promise<void> {
  const viewer = await viewerOf(db, userId);
  const rights = new Map<number, boolean>();
  for (let last = 0, isFull = true; isFull; ) {
    const approvals = await db.mergeRequestApproval.findMany({
      relationLoadStrategy: 'join',
      where: { userId, mergeRequestId: { gt: last }, mergeRequest: { state: 'opened' } },
      orderBy: { mergeRequestId: 'asc' },
      take: batch,
      select: { mergeRequestId: true, mergeRequest: { select: { iid: true, projectId: true } } },
    });
    for (const { mergeRequestId, mergeRequest } of approvals) {
      const { projectId } = mergeRequest;
      const may =
        rights.get(projectId) ?? (viewer !== null && (await mayApprove(mergeRequest, viewer, db)));
      rights.set(projectId, may);
      if (!may) await withdrawApproval(mergeRequestId, userId, db);
    }
    last = approvals.at(-1)?.mergeRequestId ?? last;
    isFull = approvals.length === batch;
  }
}

const mayApprove = (located: Located, viewer: Viewer, db: Parts['db']): Promise<boolean> =>
  holds(({ level, project }) => canApprove(level, project), located, { db, viewer });

const withdrawApproval = (mergeRequestId: number, userId: number, db: Parts['db']) =>
  transact(db, async (tx) => {
    await lockMergeRequest(tx, mergeRequestId);
    const { count } = await tx.mergeRequestApproval.deleteMany({
      where: { mergeRequestId, userId },
    });
    const notes = count > 0 ? [sentences.approvalLost] : [];
    await recordSystemNotes(tx, { mergeRequestId }, userId, notes);
  });
