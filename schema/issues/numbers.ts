import type { Transaction } from '../../prisma/client.ts';
import { notFound } from '../kernel/errors.ts';

interface Countable {
  readonly state: 'opened' | 'closed';
  readonly isConfidential: boolean;
}

/**
 * Whether the issue counts (1) or not (0) in its project's number of open issues that every member
 * sees.
 */
export const countOf = ({ state, isConfidential }: Countable): number =>
  state === 'opened' && !isConfidential ? 1 : 0;

/** By SQL, so that the project's `updated_at` does not change. */
export async function countOpen(tx: Transaction, projectId: number, by: number): Promise<void> {
  if (by === 0) return;
  await tx.$executeRaw`
    UPDATE projects SET open_issues_count = open_issues_count + ${by} WHERE id = ${projectId}`;
}

/**
 * Takes the next issue number of a project. The project's row stays locked until the transaction
 * ends, so that numbers have no gaps.
 */
export async function nextNumber(
  tx: Transaction,
  projectId: number,
  counted: number,
): Promise<number> {
  const [numbered] = await tx.$queryRaw<{ iid: number }[]>`
    UPDATE projects
    SET last_issue_iid = last_issue_iid + 1, open_issues_count = open_issues_count + ${counted}
    WHERE id = ${projectId} AND NOT is_removed
    RETURNING last_issue_iid AS iid`;
  if (!numbered) throw notFound('Project');
  return numbered.iid;
}
