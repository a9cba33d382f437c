import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { RepositoryAddress } from '../ports/git.ts';
import { recordSystemNotes } from '../system-notes/record.ts';
import type { MergeParts } from './after.ts';
import { tipOf } from './branches.ts';
import { keepHead } from './head.ts';
import { baseOf, closing } from './state.ts';
import { takeMergeRequest } from './take.ts';
import { tellOfMergeRequest } from './tell.ts';

const mostAttempts = 10;

/**
 * Gives an open merge request the commit that its source branch has now, and keeps it in the target's
 * repository; notes what commits came. Whoever is overtaken looks again, so that in the end the kept
 * commit is the one in the record. A branch that is gone leaves all as it is.
 */
export async function followHead(
  id: number,
  userId: number | null,
  parts: MergeParts,
): Promise<void> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const found = await read(id, parts);
    if (found?.state !== 'opened' || !found.sourceProject) return;
    const { project, sourceProject, iid, sha } = found;
    const tip = await tipOf(sourceProject, found.sourceBranch, parts);
    if (tip === null) return;
    const isKept = tip === sha && (await keptHead(project, iid, parts)) === tip;
    if (isKept) return;
    const head = { target: project, source: sourceProject, iid, sha: tip };
    if (!(await keepHead(head, parts))) continue;
    if (tip === sha) return;
    const targetTip = await tipOf(project, found.targetBranch, parts);
    const sentence = await newCommits(project, { sha, tip, targetTip }, parts);
    if (await store(id, { before: sha, after: tip, sentence, userId }, parts)) return;
  }
}

const read = (id: number, { db }: Pick<Context, 'db'>) =>
  db.mergeRequest.findFirst({
    relationLoadStrategy: 'join',
    where: { id, project: { isRemoved: false } },
    include: {
      project: true,
      sourceProject: { where: { isRemoved: false } },
    },
  });

/** The commit that is kept of a merge request; null when there is none. */
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
  readonly after: string;
  readonly sentence: string | null;
  readonly userId: number | null;
}

/** False: somebody else has changed it meanwhile. */
const store = (
  id: number,
  { before, after, sentence, userId }: Moved,
  parts: MergeParts,
): Promise<boolean> =>
  transact(parts.db, async (tx) => {
    const { count } = await tx.mergeRequest.updateMany({
      where: { id, state: 'opened', sha: before },
      data: { sha: after, mergeStatus: 'unchecked', checkedAgainst: null },
    });
    if (count === 0) return false;
    if (sentence) await recordSystemNotes(tx, { mergeRequestId: id }, userId, [sentence]);
    await tellOfMergeRequest(tx, { id, action: 'update', userId }, parts);
    return true;
  });

/** So many are named. */
const mostNamed = 100;

/** `added 2 commits` and their titles, oldest first; null when the branch only went back. */
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
  for (const known of [sha, targetTip]) {
    if (known !== null && (await git.commitBehind(repository, known))) without.push(known);
  }
  const { ids, isCut } = await git.commitsToMerge(repository, { head: tip, without }, mostNamed);
  if (ids.length === 0) return null;
  const commits = await git.commits(repository, ids);
  const lines = commits.map(({ id, message }) => `* ${id.slice(0, 8)} - ${titleOf(message)}`);
  const count = isCut ? `more than ${mostNamed}` : ids.length;
  const things = ids.length === 1 ? 'commit' : 'commits';
  return `added ${count} ${things}\n\n${lines.toReversed().join('\n')}`;
}

const longestTitle = 200;

const titleOf = (message: string): string =>
  (message.split('\n', 1)[0] ?? '').replaceAll('\0', '').slice(0, longestTitle).toWellFormed();

/** Closes an open merge request whose source branch is gone. */
export async function closeAbandoned(
  id: number,
  userId: number | null,
  parts: MergeParts,
): Promise<void> {
  const found = await read(id, parts);
  if (found?.state !== 'opened') return;
  const { sourceProject, sourceBranch } = found;
  const isThere = sourceProject && (await tipOf(sourceProject, sourceBranch, parts)) !== null;
  if (isThere) return;
  const { columns = {}, sentences = [] } = closing(userId, await baseOf(found, parts));
  await transact(parts.db, async (tx) => {
    const { state } = await takeMergeRequest(tx, id);
    if (state !== 'opened') return;
    await tx.mergeRequest.update({ where: { id }, data: columns, select: { id: true } });
    const told = [`deleted source branch \`${sourceBranch}\``, ...sentences];
    await recordSystemNotes(tx, { mergeRequestId: id }, userId, told);
    await tellOfMergeRequest(tx, { id, action: 'close', userId }, parts);
  });
}
