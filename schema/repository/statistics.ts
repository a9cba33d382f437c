import type { Context } from '../kernel/context.ts';
import type { JobPayloads } from '../ports/jobs.ts';
import type { ProjectRepository } from './change-refs.ts';
import { recordLeftObjects } from './due-housekeeping.ts';
import { enqueueHousekeeping } from './housekeeping.ts';
import { keepRecordedCommits } from './recorded-commits.ts';

/**
 * Recounts a project's commits and bytes, keeps what records refer to of the objects that its references
 * have left, and enqueues maintenance or packing if its repository or wiki needs it; ignores removed projects.
 */
export async function refreshStatistics(
  { projectId, before = [] }: JobPayloads['refresh-statistics'],
  { db, git, jobs }: Pick<Context, 'db' | 'git' | 'jobs'>,
): Promise<void> {
  const repository = await db.project.findFirst({
    where: { id: projectId, isRemoved: false },
    select: { id: true, storage: true, diskPath: true },
  });
  if (!repository) return;
  if (before.length > 0 && !(await git.isReachable(repository, before))) {
    await keepRecordedCommits(repository, { db, git });
    await recordLeftObjects(projectId, { db });
  }
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
  if (!isQueued) await enqueuePacking(repository, { db, git, jobs });
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
