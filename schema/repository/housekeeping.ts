import type { Prisma, Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { findProject } from '../projects/find.ts';
import { canEditProject, unfinishedImportStates } from '../projects/policy.ts';
import type { ProjectRepository } from './change-refs.ts';
import { clearDue, recordUnreachableObjects } from './due-housekeeping.ts';
import { keepRecordedCommits } from './recorded-commits.ts';

const MINUTES_60 = 3_600_000;

/** The number read together. */
const headBatch = 1000;

/** Of the projects that are due at once, the number per call; each rewrites a repository. */
const dueBatch = 20;

/** Of packing in a job, if pushes continue meanwhile. */
const maxRounds = 3;

type Parts = Pick<Context, 'db' | 'git'>;

/** Enqueues maintenance of a project's repository; masters only, once an hour. */
export async function requestHousekeeping(ref: string, ctx: Context): Promise<number> {
  const { id } = await findProject(ref, ctx, (_viewer, level) => canEditProject(level));
  const isTurn = await transact(ctx.db, (tx) => enqueueHousekeeping(id, tx, ctx));
  if (isTurn) return id;
  throw conflict('Somebody already triggered housekeeping for this project in the past 60 minutes');
}

/** Enqueues the job unless one was enqueued within the hour; returns whether it did. */
export async function enqueueHousekeeping(
  projectId: number,
  tx: Transaction,
  { jobs }: Pick<Context, 'jobs'>,
): Promise<boolean> {
  const now = new Date();
  const before = new Date(now.getTime() - MINUTES_60);
  // raw SQL, because housekeeping must not change the project's `updated_at`
  const count = await tx.$executeRaw`
    UPDATE projects SET housekeeping_at = ${now}
    WHERE id = ${projectId} AND NOT is_removed
      AND (housekeeping_at IS NULL OR housekeeping_at < ${before})`;
  if (count > 0) await jobs.enqueue('housekeep-project', { projectId }, tx);
  return count > 0;
}

/** Enqueues the housekeeping of repositories that are due. */
export async function enqueueDueHousekeeping({
  db,
  jobs,
}: Pick<Context, 'db' | 'jobs'>): Promise<void> {
  const dues = await db.housekeepingDue.findMany({
    where: { dueAt: { lte: new Date() } },
    orderBy: { dueAt: 'asc' },
    take: dueBatch,
    select: { projectId: true },
  });
  for (const { projectId } of dues) {
    await db.$transaction(async (tx) => {
      const where = { projectId, dueAt: { lte: new Date() } };
      const { count } = await tx.housekeepingDue.deleteMany({ where });
      if (count > 0) await enqueueHousekeeping(projectId, tx, { jobs });
    });
  }
}

/**
 * Enqueues the job for a repository whose caches were damaged, however long ago it ran, unless a job that
 * will make them anew waits already.
 */
export async function enqueueCacheRenewal(
  repository: Pick<ProjectRepository, 'storage' | 'diskPath'>,
  tx: Transaction,
  { jobs }: Pick<Context, 'jobs'>,
): Promise<void> {
  const { storage, diskPath } = repository;
  // locked, because several processes find the same damage
  const projects = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM projects
    WHERE storage = ${storage} AND disk_path = ${diskPath} AND NOT is_removed
    FOR NO KEY UPDATE`;
  for (const { id } of projects)
    await jobs.enqueueUnlessWaiting('housekeep-project', { projectId: id }, tx);
}

/** Runs the job. Skips projects being imported or forked: no reference protects the new objects yet. */
export const housekeep = (projectId: number, parts: Parts): Promise<void> =>
  rewriteFiles(
    { id: projectId, importStatus: { notIn: unfinishedImportStates } },
    parts,
    async (repository, wiki) => {
      await clearDue(projectId, parts);
      await deleteOrphanedHeads(repository, parts);
      await keepRecordedCommits(repository, parts);
      const hasUnreachable = await parts.git.maintain(repository);
      const hasUnreachablePages = await parts.git.maintain(wiki);
      if (hasUnreachable || hasUnreachablePages) await recordUnreachableObjects(projectId, parts);
    },
  );

/** Packs what pushes and edits added to a project's repository and wiki. */
export const packProject = (projectId: number, parts: Parts): Promise<void> =>
  rewriteFiles({ id: projectId }, parts, async (...repositories) => {
    const { git } = parts;
    for (const each of repositories) {
      // a push during a round enqueues no further job
      for (let round = 0; round < maxRounds && (await git.needsPacking(each)); round += 1)
        await git.packNewObjects(each);
    }
  });

/**
 * Rewrites the files of a project's repository and its wiki, and updates the size. Ignores a project
 * that is removed, also in between.
 */
async function rewriteFiles(
  where: Prisma.ProjectWhereInput,
  { db, git }: Parts,
  rewrite: (repository: ProjectRepository, wiki: RepositoryAddress) => Promise<void>,
): Promise<void> {
  const find = () =>
    db.project.findFirst({
      where: { ...where, isRemoved: false },
      select: { id: true, storage: true, diskPath: true },
    });
  const repository = await find();
  if (!repository) return;
  try {
    await rewrite(repository, git.wikiOf(repository));
    const repositorySize = await git.size(repository);
    await db.projectStatistics.updateMany({
      where: { projectId: repository.id },
      data: { repositorySize },
    });
  } catch (error) {
    if (await find()) throw error;
  }
}

/**
 * Deletes references of merge requests that no longer exist, as left by a crash. A reference is
 * written after its record, so one without a record never gets one again.
 */
async function deleteOrphanedHeads(
  repository: ProjectRepository,
  { db, git }: Parts,
): Promise<void> {
  const heads = await git.mergeHeads(repository);
  for (let at = 0; at < heads.length; at += headBatch) {
    const batch = heads.slice(at, at + headBatch);
    const mergeRequests = await db.mergeRequest.findMany({
      where: { projectId: repository.id, iid: { in: batch } },
      select: { iid: true },
      orderBy: { iid: 'asc' },
    });
    const existingIids = new Set(mergeRequests.map(({ iid }) => iid));
    for (const iid of batch) if (!existingIids.has(iid)) await git.dropMergeHead(repository, iid);
  }
}
