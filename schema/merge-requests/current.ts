import type { Context } from '../kernel/context.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { tipOf } from './branches.ts';
import { type Checkable, checked, patience } from './check.ts';

interface Showable extends Checkable {
  readonly sourceProjectId: number | null;
  readonly sourceBranch: string;
}

interface Target extends RepositoryAddress {
  readonly id: number;
}

type Parts = Pick<Context, 'db' | 'git'>;

/**
 * An open merge request with the commit that its source branch has at this moment, and whether that
 * can be merged: a job brings up what is stored, and tells of it in the name of who pushed, a moment
 * after a push. Costs a look at either branch when nothing has moved. Listings give what is stored.
 */
export async function current<Found extends Showable>(
  found: Found,
  target: Target,
  parts: Parts,
  signal?: AbortSignal | null,
): Promise<Found> {
  const sha = found.state === 'opened' ? await movedTo(found, target, parts, signal) : null;
  if (sha === null) return checked(found, target, parts, signal);
  const moved = { ...found, sha, mergeStatus: 'unchecked' as const, checkedAgainst: null };
  return checked(moved, target, parts, signal);
}

/** Where the source branch is, if that is elsewhere and the target's repository has the commit by now. */
async function movedTo(
  found: Showable,
  target: Target,
  parts: Parts,
  signal?: AbortSignal | null,
): Promise<string | null> {
  const source = await sourceOf(found, target, parts);
  if (source === null) return null;
  const tip = await tipOf(source, found.sourceBranch, parts);
  if (tip === null || tip === found.sha) return null;
  if (await parts.git.commitBehind(target, tip)) return tip;
  const late = AbortSignal.timeout(patience);
  const until = signal ? AbortSignal.any([late, signal]) : late;
  try {
    return (await parts.git.bringCommit(target, { sha: tip, source }, until)) ? tip : null;
  } catch {
    // the job will try again, and tell if it cannot; until then it is as it is stored
    signal?.throwIfAborted();
    return null;
  }
}

async function sourceOf(
  { sourceProjectId: id }: Showable,
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
