import type { Context } from '../kernel/context.ts';
import type { ProjectRepository } from './change-refs.ts';
import { enqueueHousekeeping } from './housekeeping.ts';

/**
 * Recounts a project's commits and bytes, and enqueues maintenance or packing if its repository or
 * wiki needs it; ignores removed projects.
 */
export async function refreshStatistics(
  projectId: number,
  { db, git, jobs }: Pick<Context, 'db' | 'git' | 'jobs'>,
): Promise<void> {
  const repository = await db.project.findFirst({
    where: { id: projectId, isRemoved: false },
    select: { storage: true, diskPath: true },
  });
  if (!repository) return;
  // first: it may mend what counting fails of
  const isUntidy =
    (await git.needsMaintenance(repository)) ||
    (await git.needsMaintenance(git.wikiOf(repository)));
  const isQueued =
    isUntidy && (await db.$transaction((tx) => enqueueHousekeeping(projectId, tx, { jobs })));
  const [commitCount, repositorySize] = await Promise.all([
    git.countCommits(repository),
    git.size(repository),
  ]);
  await db.projectStatistics.updateMany({
    where: { projectId },
    data: { commitCount, repositorySize },
  });
  if (!isQueued) await enqueuePacking({ id: projectId, ...repository }, { db, git, jobs });
}

/** Enqueues packing if what was added since it last ran makes it worthwhile. */
async function enqueuePacking(
  repository: ProjectRepository,
  { db, git, jobs }: Pick<Context, 'db' | 'git' | 'jobs'>,
): Promise<void> {
  const isNeeded =
    (await git.needsPacking(repository)) || (await git.needsPacking(git.wikiOf(repository)));
  if (isNeeded) {
    await db.$transaction((tx) => jobs.enqueue('pack-project', { projectId: repository.id }, tx));
  }
}
