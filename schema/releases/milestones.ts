import type { Context } from '../kernel/context.ts';
import { invalid } from '../kernel/errors.ts';
import { missingMilestones, mostMilestones } from './faults.ts';

interface Source {
  readonly id: number;
  readonly namespace: { readonly ancestorIds: readonly number[] };
}

/**
 * The ids of the milestones of a project or of the groups above it with these titles; of several with
 * the same title, the project's. Throws for a title that none has.
 */
export async function milestonesByTitle(
  { id: projectId, namespace }: Source,
  titles: readonly string[] | undefined,
  { db }: Pick<Context, 'db'>,
): Promise<readonly number[] | undefined> {
  if (titles === undefined) return undefined;
  const wanted = [...new Set(titles)];
  if (wanted.length > mostMilestones) {
    throw invalid({ milestones: [`are too many (maximum is ${mostMilestones})`] });
  }
  if (wanted.length === 0) return [];
  const milestones = await db.milestone.findMany({
    where: {
      title: { in: wanted },
      OR: [{ projectId }, { namespaceId: { in: [...namespace.ancestorIds] } }],
    },
    select: { id: true, title: true, projectId: true },
  });
  const ownLast = milestones.toSorted((a, b) => (a.projectId ?? 0) - (b.projectId ?? 0));
  const byTitle = new Map(ownLast.map(({ title, id }) => [title, id]));
  const unknown = wanted.filter((title) => !byTitle.has(title));
  if (unknown.length > 0) throw missingMilestones(unknown);
  return [...byTitle.values()];
}
