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
  /** When the push began, if known. */
  readonly pushedAt?: Date | undefined;
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
    const arrived = await arrivedBy(move, tip, open, parts);
    for (const { id, sha, sourceProject } of open) {
      const { before, userId: byId } = move;
      if (before === null || sha === null || !arrived.has(id)) continue;
      const baseSha = await baseIn(project, { target: before, head: sha }, parts);
      const places = { project, sourceProject };
      await recordMerge({ id, byId, sha, mergeCommitSha: null, baseSha, places }, parts);
    }
    const others = open.filter(({ id }) => !arrived.has(id));
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

interface Arriving {
  readonly id: number;
  readonly sha: string | null;
  readonly createdAt: Date;
}

/**
 * The ids of the merge requests whose head the push brought into the branch: contained now, and not
 * before, nor when the merge request was opened after the push.
 */
async function arrivedBy(
  { project, before, pushedAt }: TargetMove,
  tip: string | null,
  open: readonly Arriving[],
  parts: Pick<MergeParts, 'git' | 'db'>,
): Promise<ReadonlySet<number>> {
  if (tip === null || before === null || before === tip) return new Set();
  const within = await mergeRequestsWithin(project, tip, open, parts);
  const isKnown = within.length > 0 && (await parts.git.commitBehind(project, before)) !== null;
  const earlier = isKnown ? await mergeRequestsWithin(project, before, within, parts) : [];
  const later = within.filter(({ createdAt }) => pushedAt !== undefined && createdAt > pushedAt);
  const empty = await openedWithoutCommits(project, later, parts);
  const others = new Set([...earlier, ...empty]);
  return new Set(within.filter((mergeRequest) => !others.has(mergeRequest)).map(({ id }) => id));
}

/** Those whose head a commit contains. */
async function mergeRequestsWithin<Row extends Arriving>(
  project: RepositoryAddress,
  commit: string,
  mergeRequests: readonly Row[],
  { git }: Pick<MergeParts, 'git'>,
): Promise<readonly Row[]> {
  const shas = new Set(mergeRequests.flatMap(({ sha }) => sha ?? []));
  const heads = await git.merged(project, commit, await git.commitsThere(project, [...shas]));
  return mergeRequests.filter(({ sha }) => sha !== null && heads.has(sha));
}

/** Those whose head the target branch contained already when they were opened. */
async function openedWithoutCommits<Row extends Arriving>(
  project: RepositoryAddress,
  mergeRequests: readonly Row[],
  parts: Pick<MergeParts, 'git' | 'db'>,
): Promise<readonly Row[]> {
  if (mergeRequests.length === 0) return [];
  const rows = await parts.db.$queryRaw<{ id: number; startSha: string | null }[]>`
    SELECT DISTINCT ON (merge_request_id) merge_request_id AS id, start_sha AS "startSha"
    FROM merge_request_versions WHERE merge_request_id = ANY(${mergeRequests.map(({ id }) => id)}::int[])
    ORDER BY merge_request_id, id`;
  const starts = Map.groupBy(rows, ({ startSha }) => startSha);
  const empty: Row[] = [];
  for (const [start, opened] of starts) {
    if (start === null || (await parts.git.commitBehind(project, start)) === null) continue;
    const ids = new Set(opened.map(({ id }) => id));
    const rowsOfStart = mergeRequests.filter(({ id }) => ids.has(id));
    empty.push(...(await mergeRequestsWithin(project, start, rowsOfStart, parts)));
  }
  return empty;
}
