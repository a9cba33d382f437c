import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import { recordVersions } from '../merge-request-versions/record.ts';
import { withMergeStatus } from '../merge-requests/check.ts';
import { withdrawConsents } from '../merge-requests/consents.ts';
import { lockMergeRequest } from '../merge-requests/lock.ts';
import { recordCommits } from '../merge-requests/record-commits.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import type { JobPayloads } from '../ports/jobs.ts';
import { attempts } from '../repository/attempt-each.ts';
import { closeAbandoned, followHead } from './follow-source.ts';
import { followTarget } from './follow-target.ts';
import type { MergeParts } from './settle-merge.ts';

/** How many rows are read at once. */
const batch = 200;

/** How many are checked right away; the others are checked when they are read. */
const mostChecked = 20;

/**
 * The job after a push: updates the merge requests from and into the moved branches, including
 * those in the projects this one was forked from. It stores the new heads and checks whether they
 * can be merged; it marks merge requests as merged if the push contains their commits, and closes
 * those whose branch was deleted. One that fails does not stop the others: the job is repeated.
 */
export async function followPush(
  { projectId, userId, branches, before = {}, pushedAt: began }: JobPayloads['follow-push'],
  signal: AbortSignal,
  parts: MergeParts,
): Promise<void> {
  const project = await parts.db.project.findFirst({
    where: { id: projectId, isRemoved: false },
    select: { id: true, storage: true, diskPath: true },
  });
  if (!project) return;
  const existing = await existingBranches(project, branches, parts);
  const sources = await openFrom(projectId, branches, parts);
  const remaining = sources.filter(({ sourceBranch }) => existing.has(sourceBranch));
  const pushedAt = began === undefined ? undefined : new Date(began);
  const { each, end } = attempts(signal);
  await each(remaining, async ({ id }) => {
    await followHead(id, userId, parts);
    await recordCommits(id, signal, parts);
  });
  await each([remaining], (mergeRequests) =>
    withdrawLeftConsents(mergeRequests, { userId, before, pushedAt }, parts),
  );
  await each(remaining.slice(0, mostChecked), ({ id }) => recheck(id, signal, parts));
  // one push may add a branch to another branch and delete it: that is a merge, so close the
  // abandoned ones last
  await each(branches, (branch) => {
    // a branch may be named like an inherited property
    const start = Object.hasOwn(before, branch) ? (before[branch] ?? null) : null;
    return followTarget({ project, branch, before: start, userId, pushedAt }, signal, parts);
  });
  const abandoned = sources.filter(({ sourceBranch }) => !existing.has(sourceBranch));
  await each(abandoned, ({ id }) => closeAbandoned(id, userId, parts));
  // last, because a comparison may take long and nothing else waits for it
  await each(remaining, ({ id }) => recordVersions(id, parts, signal));
  end();
}

/**
 * Ends the consents to commits that the push moved a branch away from, also if the branch has returned
 * to them since; not those that were given after the push.
 */
async function withdrawLeftConsents(
  sources: readonly OpenSource[],
  { userId, before = {}, pushedAt }: Left,
  { db }: Pick<Context, 'db'>,
): Promise<void> {
  if (Object.keys(before).length === 0 || sources.length === 0) return;
  const ids = sources.map(({ id }) => id);
  const returned = await db.mergeRequest.findMany({
    where: { id: { in: ids }, state: 'opened', sha: { in: Object.values(before) } },
    select: { id: true, sourceBranch: true, sha: true },
  });
  for (const { id, sourceBranch, sha } of returned) {
    if (!Object.hasOwn(before, sourceBranch) || before[sourceBranch] !== sha) continue;
    await transact(db, async (tx) => {
      const locked = await lockMergeRequest(tx, id);
      if (locked.state !== 'opened' || locked.sha !== sha) return;
      await withdrawConsents(tx, id, { userId, reason: 'push', givenBefore: pushedAt });
    });
  }
}

interface Left extends Pick<JobPayloads['follow-push'], 'userId' | 'before'> {
  readonly pushedAt: Date | undefined;
}

/** The branches of a list that exist. */
async function existingBranches(
  project: RepositoryAddress,
  branches: readonly string[],
  { git }: Pick<Context, 'git'>,
): Promise<ReadonlySet<string>> {
  const refs = await git.readRefs(
    project,
    branches.map((branch) => `refs/heads/${branch}`),
  );
  return new Set(branches.filter((branch) => refs.has(`refs/heads/${branch}`)));
}

async function recheck(id: number, signal: AbortSignal, parts: MergeParts): Promise<void> {
  const mergeRequest = await parts.db.mergeRequest.findUnique({
    relationLoadStrategy: 'join',
    where: { id },
    include: { project: { select: { storage: true, diskPath: true } } },
  });
  if (mergeRequest) await withMergeStatus(mergeRequest, mergeRequest.project, parts, signal);
}

interface OpenSource {
  readonly id: number;
  readonly sourceBranch: string;
}

/** The open merge requests from some branches of a project. */
async function openFrom(
  sourceProjectId: number,
  branches: readonly string[],
  { db }: Pick<Context, 'db'>,
) {
  const mergeRequests: OpenSource[] = [];
  for (let from = 0; from < branches.length; from += batch) {
    mergeRequests.push(
      ...(await db.mergeRequest.findMany({
        where: {
          sourceProjectId,
          sourceBranch: { in: branches.slice(from, from + batch) },
          state: 'opened',
          project: { isRemoved: false },
        },
        select: { id: true, sourceBranch: true },
        orderBy: { id: 'asc' },
      })),
    );
  }
  return mergeRequests;
}
