import { writerOf } from '../commits/create.ts';
import { runInTurn } from '../commits/turns.ts';
import { tipOf } from '../merge-requests/branches.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import type { Attempt, JobPayloads } from '../ports/jobs.ts';
import { changeRefs, type ProjectRepository } from '../repository/change-refs.ts';
import { viewerOf } from '../sessions/viewer.ts';
import { endRebase } from './rebase-state.ts';
import type { MergeParts } from './settle-merge.ts';

type Payload = JobPayloads['rebase-merge-request'];

/** The same text as v4's. */
const rebaseFailed = 'Rebase failed. Please rebase locally';

/** Each attempt follows a push to the source branch during the one before. */
const mostAttempts = 5;

/**
 * The job of a rebase: rebases the source branch onto the target branch like a push of the user who
 * requested it. Idempotent: after a kill the branch has the old or the new head, and an attempt
 * that finds the new one has nothing to do.
 */
export async function rebaseSource(
  payload: Payload,
  { isLast, signal }: Pick<Attempt, 'isLast' | 'signal'>,
  parts: MergeParts,
): Promise<void> {
  const rebase = { id: payload.mergeRequestId, startedAt: new Date(payload.startedAt) };
  try {
    const isRebased = await rebaseBranch(payload, signal, parts);
    await endRebase(rebase, isRebased ? null : rebaseFailed, parts);
  } catch (error) {
    if (isLast) await endRebase(rebase, rebaseFailed, parts);
    throw error;
  }
}

/**
 * What a rebase needs to know of a merge request that is being rebased; null for any other, and if its
 * target has changed since the request.
 */
async function readRebase(
  { mergeRequestId, startedAt, targetBranch: requested }: Payload,
  { db }: Pick<MergeParts, 'db'>,
) {
  const place = { select: { id: true, storage: true, diskPath: true, isRemoved: true } } as const;
  const mergeRequest = await db.mergeRequest.findFirst({
    relationLoadStrategy: 'join',
    where: {
      id: mergeRequestId,
      state: 'opened',
      rebaseStartedAt: new Date(startedAt),
      ...(requested !== undefined && { targetBranch: requested }),
    },
    select: { sourceBranch: true, targetBranch: true, project: place, sourceProject: place },
  });
  if (!mergeRequest) return null;
  const { project, sourceProject, ...branches } = mergeRequest;
  if (project.isRemoved || !sourceProject || sourceProject.isRemoved) return null;
  return { ...branches, target: project, source: sourceProject };
}

/** Whether the source branch contains the target branch now. */
async function rebaseBranch(
  payload: Payload,
  signal: AbortSignal,
  parts: MergeParts,
): Promise<boolean> {
  const [rebase, viewer] = await Promise.all([
    readRebase(payload, parts),
    viewerOf(parts.db, payload.userId),
  ]);
  if (!rebase || !viewer) return false;
  const { source, target, sourceBranch, targetBranch } = rebase;
  const ctx = { ...parts, viewer };
  const committer = await writerOf(ctx);
  const ref = `refs/heads/${sourceBranch}`;
  return runInTurn(`${source.id}:${ref}`, async () => {
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      const [head, onto] = await Promise.all([
        tipOf(source, sourceBranch, parts),
        targetTip({ source, target, targetBranch }, signal, parts),
      ]);
      if (head === null || onto === null) return false;
      if ((await parts.git.mergeBase(source, { target: onto, head }, signal)) === onto) return true;
      const rebased = await parts.git.rebaseCommits(source, { head, onto, committer }, signal);
      if ('fault' in rebased) return false;
      const skipping = payload.skipsCi && ({ skipsCi: true } as const);
      const change = { ref, before: head, after: rebased.id, isForced: true, ...skipping };
      const { outcome } = await changeRefs(source, [change], ctx);
      if (outcome !== 'stale') return outcome === 'moved';
    }
    return false;
  });
}

interface Sides {
  readonly source: ProjectRepository;
  readonly target: RepositoryAddress;
  readonly targetBranch: string;
}

/** The target branch's commit, brought into the source's repository; null if there is none. */
async function targetTip(
  { source, target, targetBranch }: Sides,
  signal: AbortSignal,
  { git }: Pick<MergeParts, 'git'>,
): Promise<string | null> {
  const sha = await tipOf(target, targetBranch, { git });
  if (sha === null || (await git.commitBehind(source, sha))) return sha;
  return (await git.bringCommit(source, { sha, source: target }, signal)) ? sha : null;
}
