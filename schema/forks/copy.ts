import { isWider, visibilities } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import { linkObjects } from '../lfs/objects.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import type { Attempt, JobPayloads } from '../ports/jobs.ts';
import { levelInProject, levelSelection } from '../projects/find.ts';
import { canDownloadCode, isImportUnfinished, unfinishedImportStates } from '../projects/policy.ts';
import { protectDefaultBranch } from '../repository/default-branch.ts';
import { refreshStatistics } from '../repository/statistics.ts';
import { viewerOf } from '../sessions/viewer.ts';

type Parts = Pick<Context, 'db' | 'git' | 'jobs' | 'settings'>;

/** Attempts; the last one is some minutes after the first. */
const mostAttempts = 6;

const texts = {
  removed: 'The project it was to be forked from has been removed.',
  denied: 'The user who forked it may no longer read the code of the project.',
  failed: 'The repository could not be copied.',
} as const;

/**
 * The fork job: copies the repository and records the result, if the user who forked may still read the
 * source. Can be restarted after any step; ignores a fork that is removed or finished. Throws on
 * failure, so that another attempt follows, and records the failure of the last one.
 */
export async function copyFork(
  { projectId, sourceId }: JobPayloads['fork-project'],
  { number, isLast, signal }: Attempt,
  parts: Parts,
): Promise<void> {
  const { db, git } = parts;
  const source = await findSource(sourceId, parts);
  if (!source) return failFork(projectId, texts.removed, parts);
  if (isImportUnfinished(source)) {
    if (isLast) return failFork(projectId, texts.failed, parts);
    throw new Error('The repository to be forked is not there yet itself');
  }
  const fork = await startFork(projectId, parts);
  if (!fork) return;
  const isAllowed = () => refreshPermission(fork, sourceId, parts);
  if (!(await isAllowed())) return failFork(projectId, texts.denied, parts);
  try {
    // again when the objects are there: to copy them may take minutes
    const isWanted = async () =>
      (await startFork(projectId, parts)) !== null && (await isAllowed());
    const outcome = await git.copyRepository(source, fork, { isWanted, signal });
    if (outcome === 'copied') await finishFork(fork, { ...source, id: sourceId }, parts);
    else await failFork(projectId, texts.denied, parts);
  } catch (error) {
    // an aborted copy says nothing about the repository
    if (signal.aborted) throw error;
    if (!(await findSource(sourceId, parts))) return failFork(projectId, texts.removed, parts);
    if ((await db.project.count({ where: { id: projectId, isRemoved: false } })) === 0) return;
    if (number >= mostAttempts) return failFork(projectId, texts.failed, parts);
    throw error;
  }
}

const findSource = (id: number, { db }: Parts) =>
  db.project.findFirst({
    where: { id, isRemoved: false },
    select: { storage: true, diskPath: true, defaultBranch: true, importStatus: true },
  });

interface Fork extends RepositoryAddress {
  readonly id: number;
  readonly defaultBranch: string | null;
  readonly creatorId: number | null;
}

/**
 * Whether the user who forked may read the code of the source. Narrows the visibility of the fork to that
 * of the source, which may have changed since.
 */
async function refreshPermission(
  { id, creatorId }: Pick<Fork, 'id' | 'creatorId'>,
  sourceId: number,
  { db }: Parts,
): Promise<boolean> {
  const viewer = creatorId === null ? null : await viewerOf(db, creatorId);
  const source = await db.project.findFirst({
    relationLoadStrategy: 'join',
    where: { id: sourceId, isRemoved: false },
    select: levelSelection(viewer),
  });
  if (!viewer || !source) return false;
  const { visibility } = source;
  const wider = visibilities.filter((other) => isWider(other, visibility));
  await db.project.updateMany({ where: { id, visibility: { in: wider } }, data: { visibility } });
  return canDownloadCode(viewer, levelInProject(viewer, source), source);
}

const pending = (id: number) => ({
  id,
  isRemoved: false,
  importStatus: { in: unfinishedImportStates },
  // a failed fork may be filled by an import instead
  importSourceSealed: null,
});

/** The fork, now started; null if it is finished, has failed or is removed. */
async function startFork(id: number, { db }: Parts): Promise<Fork | null> {
  const { count } = await db.project.updateMany({
    where: pending(id),
    data: { importStatus: 'started' },
  });
  if (count === 0) return null;
  return db.project.findUnique({
    where: { id },
    select: { id: true, storage: true, diskPath: true, defaultBranch: true, creatorId: true },
  });
}

/**
 * Completes the fork before its state changes, so that events and sizes are right before the first
 * push.
 */
async function finishFork(
  fork: Fork,
  source: Pick<Fork, 'id' | 'defaultBranch'>,
  parts: Parts,
): Promise<void> {
  const { db, git, jobs, settings } = parts;
  const defaultBranch = fork.defaultBranch ?? source.defaultBranch;
  const head = `refs/heads/${defaultBranch}`;
  const isThere = defaultBranch !== null && (await git.readRefs(fork, [head])).has(head);
  if (defaultBranch !== null && (await git.head(fork)) !== head) await git.setHead(fork, head);
  await refreshStatistics({ projectId: fork.id }, parts);
  await transact(db, async (tx) => {
    await linkObjects(tx, { from: source.id, to: fork.id });
    const { count } = await tx.project.updateMany({
      where: pending(fork.id),
      data: { importStatus: 'finished', importError: null, defaultBranch },
    });
    if (count > 0 && isThere) await protectDefaultBranch(tx, fork.id, defaultBranch, settings);
    // starts waiting forks of this fork at once
    const waiting = await tx.project.findMany({
      where: { forkedFromId: fork.id, isRemoved: false, importStatus: 'scheduled' },
      select: { id: true },
    });
    for (const { id } of waiting) {
      await jobs.enqueue('fork-project', { projectId: id, sourceId: fork.id }, tx);
    }
  });
}

async function failFork(id: number, importError: string, { db }: Parts): Promise<void> {
  await db.project.updateMany({
    where: pending(id),
    data: { importStatus: 'failed', importError },
  });
}
