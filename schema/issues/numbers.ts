import type { Transaction } from '../../prisma/client.ts';
import { notFound } from '../kernel/errors.ts';

interface Countable {
  readonly state: 'opened' | 'closed';
  readonly isConfidential: boolean;
}

/** What an issue adds to its project's count, which tells of open ones that everybody sees. */
export const countOf = ({ state, isConfidential }: Countable): number =>
  state === 'opened' && !isConfidential ? 1 : 0;

/** In SQL of its own: an issue is no change of the project, whose `updated_at` stays. */
export async function countOpen(tx: Transaction, projectId: number, by: number): Promise<void> {
  if (by === 0) return;
  await tx.$executeRaw`
    UPDATE projects SET open_issues_count = open_issues_count + ${by} WHERE id = ${projectId}`;
}

/** The next number of a project, whose row is kept until the transaction ends: there are no gaps. */
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
