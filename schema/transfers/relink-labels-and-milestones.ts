import type { Transaction } from '../../prisma/client.ts';
import { relinkLabels } from './relink-labels.ts';
import { relinkMilestones } from './relink-milestones.ts';

/** Projects per statement. */
const batch = 100;

/**
 * Relinks the labels and milestones of the groups that projects leave: issues, merge requests,
 * boards and priorities get labels of the same name, and issues, merge requests and releases get
 * milestones of the same title, from the project or its new groups if they exist, else copies. The
 * caller has locked the projects, or a group above them for writing, and moved them.
 */
export async function relinkLabelsAndMilestones(
  tx: Transaction,
  projectIds: readonly number[],
): Promise<void> {
  const ids = projectIds.toSorted((a, b) => a - b);
  for (let start = 0; start < ids.length; start += batch) {
    const some = ids.slice(start, start + batch);
    await relinkLabels(tx, some);
    await relinkMilestones(tx, some);
  }
}
