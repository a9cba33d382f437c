import type { Context } from '../kernel/context.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { tipOf } from './branches.ts';
import { type Checkable, readTimeout, withMergeStatus } from './check.ts';

/** What tells the head of a merge request. */
interface Headed extends Pick<Checkable, 'state' | 'sha'> {
  readonly sourceProjectId: number | null;
  readonly sourceBranch: string;
}

type Showable = Headed & Checkable;

interface Target extends RepositoryAddress {
  readonly id: number;
}

type Parts = Pick<Context, 'db' | 'git'>;

/**
 * An open merge request with the current commit of its source branch, and whether that can be
 * merged. The stored values may be stale: a job updates them after a push, and notifies in the name
 * of the user who pushed. Costs reading both branches' tips if nothing has moved. Listings return
 * the stored values.
 */
export async function current<Row extends Showable>(
  mergeRequest: Row,
  target: Target,
  parts: Parts,
  signal?: AbortSignal | null,
): Promise<Row> {
  const sha = await movedHead(mergeRequest, target, parts, signal);
  if (sha === null) return withMergeStatus(mergeRequest, target, parts, signal);
  const moved = { ...mergeRequest, sha, mergeStatus: 'unchecked' as const, checkedAgainst: null };
  return withMergeStatus(moved, target, parts, signal);
}

/** The head of a merge request; of an open one the current commit of its source branch. */
export const currentHead = async (
  mergeRequest: Headed,
  target: Target,
  parts: Parts,
  signal?: AbortSignal | null,
): Promise<string | null> =>
  (await movedHead(mergeRequest, target, parts, signal)) ?? mergeRequest.sha;

async function movedHead(
  mergeRequest: Headed,
  target: Target,
  parts: Parts,
  signal?: AbortSignal | null,
): Promise<string | null> {
  return mergeRequest.state === 'opened' ? movedTo(mergeRequest, target, parts, signal) : null;
}

/**
 * The source branch's tip, if it differs from the stored commit and the target's repository has it.
 */
async function movedTo(
  mergeRequest: Headed,
  target: Target,
  parts: Parts,
  signal?: AbortSignal | null,
): Promise<string | null> {
  const source = await sourceOf(mergeRequest, target, parts);
  if (source === null) return null;
  const tip = await tipOf(source, mergeRequest.sourceBranch, parts);
  if (tip === null || tip === mergeRequest.sha) return null;
  if (await parts.git.commitBehind(target, tip)) return tip;
  const late = AbortSignal.timeout(readTimeout);
  const until = signal ? AbortSignal.any([late, signal]) : late;
  try {
    return (await parts.git.bringCommit(target, { sha: tip, source }, until)) ? tip : null;
  } catch {
    // on failure the stored values are shown; the job retries and reports errors
    signal?.throwIfAborted();
    return null;
  }
}

async function sourceOf(
  { sourceProjectId: id }: Headed,
  target: Target,
  { db }: Parts,
): Promise<RepositoryAddress | null> {
  if (id === null) return null;
  if (id === target.id) return target;
  return db.project.findFirst({
    where: { id, isRemoved: false },
    select: { storage: true, diskPath: true },
  });
}
