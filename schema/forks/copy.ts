import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import type { Attempt, JobPayloads } from '../ports/jobs.ts';
import { arriving, isArriving } from '../projects/policy.ts';
import { protect } from '../repository/settle.ts';
import { refreshStatistics } from '../repository/statistics.ts';

type Parts = Pick<Context, 'db' | 'git' | 'jobs' | 'settings'>;

/** After so many attempts, some minutes after the first, nothing more is hoped for. */
const mostAttempts = 6;

const texts = {
  gone: 'The project it was to be forked from has been removed.',
  failed: 'The repository could not be copied.',
} as const;

/**
 * What the job of a fork does: brings the repository over and says how that went. It may be begun
 * again after any step; a fork that is removed or done is left alone. A failure is thrown, for the
 * next attempt, and written down once there is no hope.
 */
export async function copyFork(
  { projectId, sourceId }: JobPayloads['fork-project'],
  { number, isLast, signal }: Attempt,
  parts: Parts,
): Promise<void> {
  const { db, git } = parts;
  const source = await findSource(sourceId, parts);
  if (!source) return fail(projectId, texts.gone, parts);
  if (isArriving(source)) {
    if (isLast) return fail(projectId, texts.failed, parts);
    throw new Error('The repository to be forked is not there yet itself');
  }
  const fork = await begin(projectId, parts);
  if (!fork) return;
  try {
    const isWanted = async () => (await begin(projectId, parts)) !== null;
    const outcome = await git.copyRepository(source, fork, { isWanted, signal });
    if (outcome === 'copied') await finish(fork, source.defaultBranch, parts);
  } catch (error) {
    // whoever is told to stop knows nothing of the repository
    if (signal.aborted) throw error;
    if (!(await findSource(sourceId, parts))) return fail(projectId, texts.gone, parts);
    if ((await db.project.count({ where: { id: projectId, isRemoved: false } })) === 0) return;
    if (number >= mostAttempts) return fail(projectId, texts.failed, parts);
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
}

const pending = (id: number) => ({
  id,
  isRemoved: false,
  importStatus: { in: arriving },
  // one that failed may be filled by an import instead
  importSourceSealed: null,
});

/** The fork, now started; null when it is there already, has failed or is removed. */
async function begin(id: number, { db }: Parts): Promise<Fork | null> {
  const { count } = await db.project.updateMany({
    where: pending(id),
    data: { importStatus: 'started' },
  });
  if (count === 0) return null;
  return db.project.findUnique({
    where: { id },
    select: { id: true, storage: true, diskPath: true, defaultBranch: true },
  });
}

/** From here on it is a project like any other: what people are told of it is right before they push. */
async function finish(fork: Fork, sourceBranch: string | null, parts: Parts): Promise<void> {
  const { db, git, jobs, settings } = parts;
  const defaultBranch = fork.defaultBranch ?? sourceBranch;
  const head = `refs/heads/${defaultBranch}`;
  const isThere = defaultBranch !== null && (await git.readRefs(fork, [head])).has(head);
  if (defaultBranch !== null && (await git.head(fork)) !== head) await git.setHead(fork, head);
  await refreshStatistics(fork.id, parts);
  await transact(db, async (tx) => {
    const { count } = await tx.project.updateMany({
      where: pending(fork.id),
      data: { importStatus: 'finished', importError: null, defaultBranch },
    });
    if (count > 0 && isThere) await protect(tx, fork.id, defaultBranch, settings);
    // its own forks need not wait until their turn comes again
    const waiting = await tx.project.findMany({
      where: { forkedFromId: fork.id, isRemoved: false, importStatus: 'scheduled' },
      select: { id: true },
    });
    for (const { id } of waiting) {
      await jobs.enqueue('fork-project', { projectId: id, sourceId: fork.id }, tx);
    }
  });
}

async function fail(id: number, importError: string, { db }: Parts): Promise<void> {
  await db.project.updateMany({
    where: pending(id),
    data: { importStatus: 'failed', importError },
  });
}
