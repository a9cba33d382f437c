import type { Context } from '../kernel/context.ts';
import { enqueueHousekeeping } from './housekeeping.ts';

/**
 * Recounts a project's commits and bytes, and enqueues maintenance if its repository needs it;
 * ignores removed projects.
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
  if (isUntidy) {
    await db.$transaction((tx) => enqueueHousekeeping(projectId, tx, { jobs }));
  }
  const [commitCount, repositorySize] = await Promise.all([
    git.countCommits(repository),
    git.size(repository),
  ]);
  await db.projectStatistics.updateMany({
    where: { projectId },
    data: { commitCount, repositorySize },
  });
}
