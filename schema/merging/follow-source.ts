import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import { tipOf } from '../merge-requests/branches.ts';
import { withdrawConsents } from '../merge-requests/consents.ts';
import { keepHead } from '../merge-requests/head.ts';
import { type HeadForHooks, headForHooks } from '../merge-requests/hook-payload.ts';
import { lockMergeRequest } from '../merge-requests/lock.ts';
import { notifyMergeRequestChange } from '../merge-requests/notify.ts';
import { baseOf, closing } from '../merge-requests/state.ts';
import { addVersion } from '../merge-requests/versions.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { recordSystemNotes } from '../system-notes/record.ts';
import { completeTodos } from '../todos/record.ts';
import { type OutdatedThreads, outdatedThreads, resolveOutdated } from './outdated.ts';
import type { MergeParts } from './settle-merge.ts';

const mostAttempts = 10;

/**
 * Stores the current commit of the source branch in an open merge request, keeps it in the target's
 * repository, and writes a system note of the new commits. Repeats after a concurrent change, so
 * that the kept commit is the stored one. Does nothing if the branch was deleted.
 */
export async function followHead(
  id: number,
  userId: number | null,
  parts: MergeParts,
): Promise<void> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const mergeRequest = await readOpen(id, parts);
    if (mergeRequest?.state !== 'opened' || !mergeRequest.sourceProject) return;
    const { project, sourceProject, iid, sha } = mergeRequest;
    const tip = await tipOf(sourceProject, mergeRequest.sourceBranch, parts);
    if (tip === null) return;
    const isKept = tip === sha && (await keptHead(project, iid, parts)) === tip;
    if (isKept) return;
    const head = { id, target: project, source: sourceProject, iid, sha: tip };
    if (!(await keepHead(head, parts))) continue;
    if (tip === sha) return;
    const targetTip = await tipOf(project, mergeRequest.targetBranch, parts);
    const sentence = await newCommits(project, { sha, tip, targetTip }, parts);
    const payloadHead = await headForHooks(tip, mergeRequest, parts);
    const threads = project.resolveOutdatedDiffDiscussions
      ? // a diff that fails keeps threads open, and not the head from being followed
        await outdatedThreads(id, { repository: project, tip }, parts).catch(() => [])
      : [];
    const outdated = { threads, userId, tip };
    const moved = { before: sha, head: payloadHead, targetTip, sentence, userId, outdated };
    if (await store(id, moved, parts)) return;
  }
}

const readOpen = (id: number, { db }: Pick<Context, 'db'>) =>
  db.mergeRequest.findFirst({
    relationLoadStrategy: 'join',
    where: { id, project: { isRemoved: false } },
    include: {
      project: true,
      sourceProject: { where: { isRemoved: false } },
    },
  });

/** The commit of the kept reference, or null. */
export const keptHead = async (
  repository: RepositoryAddress,
  iid: number,
  { git }: Pick<Context, 'git'>,
): Promise<string | null> => {
  const ref = `refs/merge-requests/${iid}/head`;
  return (await git.readRefs(repository, [ref])).get(ref) ?? null;
};

interface Moved {
  readonly before: string | null;
  readonly head: HeadForHooks;
  readonly targetTip: string | null;
  readonly sentence: string | null;
  readonly userId: number | null;
  readonly outdated: OutdatedThreads;
}

/** False after a concurrent change. */
const store = (
  id: number,
  { before, head, targetTip, sentence, userId, outdated }: Moved,
  parts: MergeParts,
): Promise<boolean> =>
  transact(parts.db, async (tx) => {
    const { count } = await tx.mergeRequest.updateMany({
      where: { id, state: 'opened', sha: before },
      data: { sha: head.sha, mergeStatus: 'unchecked', checkedAgainst: null },
    });
    if (count === 0) return false;
    const { tip: headSha } = outdated;
    await addVersion(tx, { id, former: before, headSha, startSha: targetTip });
    await completeTodos(tx, { kind: 'mergeRequest', id }, userId);
    if (sentence) await recordSystemNotes(tx, { mergeRequestId: id }, userId, [sentence]);
    await withdrawConsents(tx, id, { userId, reason: 'push', head: headSha });
    await resolveOutdated(tx, id, outdated);
    await notifyMergeRequestChange(tx, { id, action: 'update', userId, head }, parts);
    return true;
  });

/** At most this many commits are listed. */
const mostListed = 100;

/** `added 2 commits` and their titles, oldest first; null if the branch only moved back. */
async function newCommits(
  repository: RepositoryAddress,
  {
    sha,
    tip,
    targetTip,
  }: { readonly sha: string | null; readonly tip: string; readonly targetTip: string | null },
  { git }: Pick<Context, 'git'>,
): Promise<string | null> {
  const without: string[] = [];
  for (const existing of [sha, targetTip]) {
    if (existing !== null && (await git.commitBehind(repository, existing))) without.push(existing);
  }
  const { ids, isCut } = await git.commitsToMerge(repository, { head: tip, without }, mostListed);
  if (ids.length === 0) return null;
  const commits = await git.commits(repository, ids);
  const lines = commits.map(({ id, message }) => `* ${id.slice(0, 8)} - ${titleOf(message)}`);
  const count = isCut ? `more than ${mostListed}` : ids.length;
  const noun = ids.length === 1 ? 'commit' : 'commits';
  return `added ${count} ${noun}\n\n${lines.toReversed().join('\n')}`;
}

const longestTitle = 200;

const titleOf = (message: string): string =>
  (message.split('\n', 1)[0] ?? '').replaceAll('\0', '').slice(0, longestTitle).toWellFormed();

/** Closes an open merge request whose source branch was deleted. */
export async function closeAbandoned(
  id: number,
  userId: number | null,
  parts: MergeParts,
): Promise<void> {
  await closeUnless(id, userId, parts, async ({ sourceProject, sourceBranch }) => {
    const isThere = sourceProject && (await tipOf(sourceProject, sourceBranch, parts)) !== null;
    return isThere ? null : [`deleted source branch \`${sourceBranch}\``];
  });
}

/** Closes an open merge request whose source is no longer a fork of its target. */
export const closeUnlinked = (id: number, userId: number, parts: MergeParts): Promise<void> =>
  closeUnless(id, userId, parts, async () => []);

type Read = NonNullable<Awaited<ReturnType<typeof readOpen>>>;

/** `reasons` gives the system notes to write first, or null if the merge request stays open. */
async function closeUnless(
  id: number,
  userId: number | null,
  parts: MergeParts,
  reasons: (mergeRequest: Read) => Promise<readonly string[] | null>,
): Promise<void> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const mergeRequest = await readOpen(id, parts);
    if (mergeRequest?.state !== 'opened') return;
    const reason = await reasons(mergeRequest);
    if (reason === null) return;
    const { columns = {}, sentences = [] } = closing(userId, await baseOf(mergeRequest, parts));
    const head = await headForHooks(mergeRequest.sha, mergeRequest, parts);
    const isOver = await transact(parts.db, async (tx) => {
      const { state, sha } = await lockMergeRequest(tx, id);
      if (state !== 'opened') return true;
      // the head has changed since git was read
      if (sha !== mergeRequest.sha) return false;
      await tx.mergeRequest.update({ where: { id }, data: columns, select: { id: true } });
      await recordSystemNotes(tx, { mergeRequestId: id }, userId, [...reason, ...sentences]);
      await withdrawConsents(tx, id, { userId, reason: 'close' });
      await notifyMergeRequestChange(tx, { id, action: 'close', userId, head }, parts);
      return true;
    });
    if (isOver) return;
  }
}
