import type { Transaction } from '../../prisma/client.ts';

/**
 * Counts one fork more or less of a project, in SQL of its own: that is no change of the project,
 * whose `updated_at` stays. A transaction that takes both takes the fork before what it came from.
 */
export async function countFork(tx: Transaction, projectId: number, by: 1 | -1): Promise<void> {
  await tx.$executeRaw`
    UPDATE projects SET forks_count = greatest(forks_count + ${by}, 0) WHERE id = ${projectId}`;
}
