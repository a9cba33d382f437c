import type { Transaction } from '../../prisma/client.ts';

/**
 * Changes the fork count of a project by raw SQL, so that its `updated_at` stays. A transaction
 * that locks both a fork and its source locks the fork first.
 */
export async function changeForkCount(
  tx: Transaction,
  projectId: number,
  by: 1 | -1,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE projects SET forks_count = greatest(forks_count + ${by}, 0) WHERE id = ${projectId}`;
}
