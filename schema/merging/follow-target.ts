import { tipOf } from '../merge-requests/branches.ts';
import { withMergeStatus } from '../merge-requests/check.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import type { MergeSides } from '../ports/git/merging.ts';
import { isAbandoned, type MergeParts, recordMerge, settleMerge } from './settle-merge.ts';

export interface TargetMove {
  readonly project: RepositoryAddress & { readonly id: number };
  readonly branch: string;
  /** The branch's commit before the push; null if nothing was pushed. */
  readonly before: string | null;
  /** The user who pushed. */
  readonly userId: number | null;
}

/** How many rows are read at once. */
const batch = 500;

/** How many are checked right away; the others are checked when they are read. */
const mostChecked = 20;

/**
 * Updates the open merge requests into a branch that has moved: those whose commits the push
 * contains become merged, the `mergeStatus` of the others becomes unchecked.
 */
export async function followTarget(
  move: TargetMove,
  signal: AbortSignal,
  parts: MergeParts,
): Promise<void> {
  const { project, branch } = move;
  const tip = await tipOf(project, branch, parts);
  let left = mostChecked;
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const mergeRequests = await parts.db.mergeRequest.findMany({
      where: {
        projectId: project.id,
        targetBranch: branch,
        state: { in: ['opened', 'locked'] },
        id: { gt: after },
      },
      relationLoadStrategy: 'join',
      include: {
        sourceProject: { where: { isRemoved: false }, select: { storage: true, diskPath: true } },
      },
      orderBy: { id: 'asc' },
      take: batch,
    });
    const last = mergeRequests.at(-1);
    if (!last) return;
    after = last.id;
    for (const mergeRequest of mergeRequests) {
      if (mergeRequest.state === 'locked')
        await settleMerge(mergeRequest.id, parts, isAbandoned(mergeRequest));
    }
    const open = mergeRequests.filter(({ state }) => state === 'opened');
    const arrived = await headsArrivedBy(move, tip, open, parts);
    for (const { id, sha, sourceProject } of open) {
      const { before, userId: byId } = move;
      if (before === null || sha === null || !arrived.has(sha)) continue;
      const baseSha = await baseIn(project, { target: before, head: sha }, parts);
      const places = { project, sourceProject };
      await recordMerge({ id, byId, sha, mergeCommitSha: null, baseSha, places }, parts);
    }
    const others = open.filter(({ sha }) => sha === null || !arrived.has(sha));
    const ids = others.filter(({ checkedAgainst }) => checkedAgainst !== tip).map(({ id }) => id);
    // by SQL, so that `updated_at` does not change
    await parts.db.$executeRaw`
      UPDATE merge_requests SET merge_status = 'unchecked', checked_against = NULL
      WHERE id = ANY(${ids}::int[]) AND state = 'opened' AND checked_against IS DISTINCT FROM ${tip}`;
    const toCheck = others.slice(0, left);
    left -= toCheck.length;
    for (const mergeRequest of toCheck) await withMergeStatus(mergeRequest, project, parts, signal);
  }
}

/** The merge base; null if the branch did not exist or its former commit is missing. */
const baseIn = async (
  repository: RepositoryAddress,
  sides: MergeSides,
  { git }: Pick<MergeParts, 'git'>,
): Promise<string | null> =>
  (await git.commitBehind(repository, sides.target)) ? git.mergeBase(repository, sides) : null;

/** The heads that the push brought into the branch: contained now, and not before. */
async function headsArrivedBy(
  { project, before }: TargetMove,
  tip: string | null,
  open: readonly { readonly sha: string | null }[],
  { git }: Pick<MergeParts, 'git'>,
): Promise<ReadonlySet<string>> {
  if (tip === null || before === null || before === tip) return new Set();
  const shas = new Set(open.flatMap((mergeRequest) => mergeRequest.sha ?? []));
  const existing = await git.commitsThere(project, [...shas]);
  const now = await git.merged(project, tip, existing);
  if (now.size === 0 || (await git.commitBehind(project, before)) === null) return now;
  const then = await git.merged(project, before, [...now]);
  return new Set([...now].filter((sha) => !then.has(sha)));
}
