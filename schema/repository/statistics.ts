import type { Context } from '../kernel/context.ts';

/** Counts a project's commits and bytes again; nothing to do when the project is gone. */
export async function refreshStatistics(
  projectId: number,
  { db, git }: Pick<Context, 'db' | 'git'>,
): Promise<void> {
  const repository = await db.project.findFirst({
    where: { id: projectId, isRemoved: false },
    select: { storage: true, diskPath: true },
  });
  if (!repository) return;
  const [commitCount, repositorySize] = await Promise.all([
    git.countCommits(repository),
    git.size(repository),
  ]);
  await db.projectStatistics.updateMany({
    where: { projectId },
    data: { commitCount, repositorySize },
  });
}
