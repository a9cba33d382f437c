import { mergeRequestKind } from '../issuables/kinds.ts';
import { lockRow } from '../issuables/lock.ts';
import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import { readTimeout } from '../merge-requests/check.ts';
import { type MergeRequestRange, rangeOf } from '../merge-requests/range.ts';
import { addFirstVersion } from '../merge-requests/versions.ts';

type Parts = Pick<Context, 'db' | 'git'>;

interface Unrecorded {
  readonly id: number;
  readonly headSha: string;
  readonly startSha: string | null;
}

/**
 * Records what the versions of a merge request compare, as far as that is not done, and the version of
 * a merge request that has none. Leaves out versions whose commits the repository does not have, such
 * as that of a fork whose commits are not fetched yet. Idempotent.
 */
export async function recordVersions(id: number, parts: Parts, signal: AbortSignal): Promise<void> {
  const { db } = parts;
  const mergeRequest = await db.mergeRequest.findFirst({
    relationLoadStrategy: 'join',
    where: { id, project: { isRemoved: false } },
    select: {
      sha: true,
      versions: { where: { changedFiles: null }, orderBy: { id: 'desc' } },
      _count: { select: { versions: true } },
    },
  });
  if (!mergeRequest) return;
  const { sha, versions, _count: count } = mergeRequest;
  const unrecorded =
    sha !== null && count.versions === 0 ? await firstVersion(id, parts) : versions;
  if (unrecorded.length === 0) return;
  const range = await rangeOf({ id, sha }, parts);
  for (const version of unrecorded) await recordVersion(version, range, parts, signal);
}

/** Adds the version of a merge request that has none, and gives what is to be recorded. */
const firstVersion = (id: number, { db }: Parts): Promise<readonly Unrecorded[]> =>
  transact(db, async (tx) => {
    await lockRow(tx, mergeRequestKind, id);
    const { sha } = await tx.mergeRequest.findUniqueOrThrow({
      where: { id },
      select: { sha: true },
    });
    if (sha !== null) await addFirstVersion(tx, id, sha);
    // also one that a concurrent call has added and not recorded yet
    return tx.mergeRequestVersion.findMany({
      where: { mergeRequestId: id, changedFiles: null },
      orderBy: { id: 'desc' },
    });
  });

/** `range` is what the merge request compares now. */
async function recordVersion(
  { id, headSha: head, startSha }: Unrecorded,
  { repository, base: presentStart }: MergeRequestRange,
  { db, git }: Parts,
  signal: AbortSignal,
): Promise<void> {
  const start = startSha ?? presentStart ?? null;
  const shas = start === null ? [head] : [head, start];
  const existing = new Set(await git.commitsThere(repository, shas));
  if (!existing.has(head)) return;
  const base =
    start !== null && existing.has(start)
      ? await git.mergeBase(repository, { target: start, head }, signal)
      : null;
  const { files, isTimedOut } = await git.diff(repository, { from: base, to: head }, signal);
  await db.mergeRequestVersion.updateMany({
    where: { id, changedFiles: null },
    data: {
      startSha: start,
      baseSha: base,
      changedFiles: files.length,
      isOverflowing: isTimedOut,
    },
  });
}

/** The same for a read, which waits for git a limited time. */
export async function recordVersionsForRead(
  id: number,
  { db, git, request }: Pick<Context, 'db' | 'git' | 'request'>,
): Promise<void> {
  const late = AbortSignal.timeout(readTimeout);
  const signal = request.signal ? AbortSignal.any([late, request.signal]) : late;
  try {
    await recordVersions(id, { db, git }, signal);
  } catch (error) {
    // what is not recorded is not shown; the job reports errors
    if (!late.aborted) throw error;
  }
}
