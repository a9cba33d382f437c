import type { Transaction } from '../../prisma/client.ts';
import { mergeRequestKind } from '../issuables/kinds.ts';
import { lockRow } from '../issuables/lock.ts';
import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import { mostCommits } from './commits.ts';
import { rangeOf } from './range.ts';

/** Enqueues the job that records the commits of a merge request. */
export async function recordCommitsLater(
  tx: Transaction,
  mergeRequestId: number,
  { jobs }: Pick<Context, 'jobs'>,
): Promise<void> {
  const { projectId } = await tx.mergeRequest.findUniqueOrThrow({
    where: { id: mergeRequestId },
    select: { projectId: true },
  });
  await jobs.enqueue('record-merge-request-commits', { projectId, mergeRequestId }, tx);
}

/**
 * Records the commits by which a merge request is found: those that it adds to its target branch, at
 * most 5,000, and its merge commit. Replaces what was recorded. Does nothing if the merge request
 * changes meanwhile: whatever changed it records again. Idempotent.
 */
export async function recordCommits(
  id: number,
  signal: AbortSignal,
  { db, git }: Pick<Context, 'db' | 'git'>,
): Promise<void> {
  const read = (tx: Pick<Transaction, 'mergeRequest'>) =>
    tx.mergeRequest.findFirst({
      where: { id, project: { isRemoved: false } },
      select: { sha: true, state: true, targetBranch: true, mergeCommitSha: true },
    });
  const mergeRequest = await read(db);
  if (!mergeRequest) return;
  const { repository, head, base } = await rangeOf({ id, sha: mergeRequest.sha }, { db, git });
  if (head === null || base === undefined) return;
  const range = { head, without: base === null ? [] : [base] };
  const { ids } = await git.commitsToMerge(repository, range, mostCommits, signal);
  const merge = mergeRequest.state === 'merged' ? mergeRequest.mergeCommitSha : null;
  const shas = [...ids, ...(merge === null ? [] : [merge])];
  await transact(db, async (tx) => {
    await lockRow(tx, mergeRequestKind, id);
    const now = await read(tx);
    const isSame =
      now?.sha === mergeRequest.sha &&
      now.state === mergeRequest.state &&
      now.targetBranch === mergeRequest.targetBranch;
    if (!isSame) return;
    await tx.$executeRaw`
      DELETE FROM merge_request_commits WHERE merge_request_id = ${id} AND sha <> ALL(${shas})`;
    await tx.$executeRaw`
      INSERT INTO merge_request_commits (merge_request_id, sha)
      SELECT ${id}, unnest(${shas}::text[]) ON CONFLICT DO NOTHING`;
  });
}

/** How many jobs one run of the backfill enqueues. */
const backfillBatch = 1_000;

/**
 * Enqueues the job for the newest merge requests of earlier versions that are left; called
 * periodically until none is.
 */
export async function backfillCommits({ db, jobs }: Pick<Context, 'db' | 'jobs'>): Promise<void> {
  await transact(db, async (tx) => {
    const [left] = await tx.$queryRaw<{ lastId: number }[]>`
      SELECT last_id AS "lastId" FROM merge_request_commit_backfills FOR UPDATE SKIP LOCKED`;
    if (!left) return;
    const page = await tx.mergeRequest.findMany({
      where: { id: { lte: left.lastId } },
      select: { id: true, projectId: true },
      orderBy: { id: 'desc' },
      take: backfillBatch,
    });
    const last = page.at(-1);
    const payloads = page.map(({ id, projectId }) => ({ mergeRequestId: id, projectId }));
    await jobs.enqueueAll('record-merge-request-commits', payloads, tx);
    if (last && page.length === backfillBatch)
      await tx.mergeRequestCommitBackfill.updateMany({ data: { lastId: last.id - 1 } });
    else await tx.mergeRequestCommitBackfill.deleteMany();
  });
}
