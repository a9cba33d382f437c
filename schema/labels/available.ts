import type { Prisma, Transaction } from '../../prisma/client.ts';
import { refuseFaults } from '../kernel/errors.ts';
import { insufficientLocks } from '../kernel/storage-errors.ts';
import { nameFaults } from './faults.ts';

/** The columns of a project that decide which labels its issues may have. */
export interface LabelledProject {
  readonly id: number;
  readonly namespace: { readonly ancestorIds: readonly number[] };
}

/** The labels of a project and of its ancestor groups, as a filter (v4-behaviour 3.6). */
export const availableLabels = ({
  id,
  namespace: { ancestorIds },
}: LabelledProject): Prisma.LabelWhereInput => ({
  OR: [{ projectId: id }, { namespaceId: { in: [...ancestorIds] } }],
});

/** The colour of a label created by name only. */
export const defaultColor = '#428BCA';

interface LabelsByNameOptions {
  /** Creates missing labels in the project; throws if a name is invalid. */
  readonly create: boolean;
}

/**
 * The ids of labels by name, in the order of the names. Prefers the project's own label to a
 * group's, and a nearer group's to a more distant one. Trims names; leaves out labels that do not
 * exist. A transaction that also locks the project's row must do so after this, to avoid deadlocks.
 */
export async function labelsByName(
  tx: Transaction,
  project: LabelledProject,
  names: readonly string[],
  { create }: LabelsByNameOptions,
): Promise<number[]> {
  const wantedNames = [...new Set(names.map((name) => name.trim()))].filter((name) => name !== '');
  if (wantedNames.length === 0) return [];
  const before = await labelIdsByName(tx, project, wantedNames);
  // all writers insert in the same order, to avoid deadlocks
  const missing = wantedNames.filter((name) => !before.has(name)).toSorted();
  if (!create || missing.length === 0) return idsIn(wantedNames, before);
  refuseFaults({ labels: [...new Set(missing.flatMap(nameFaults))] });
  await tx.label.createMany({
    data: missing.map((name) => ({ projectId: project.id, name, color: defaultColor })),
    skipDuplicates: true,
  });
  const after = await labelIdsByName(tx, project, wantedNames);
  // a concurrent request has created and deleted the label again
  if (after.size < wantedNames.length) throw insufficientLocks;
  return idsIn(wantedNames, after);
}

const idsIn = (names: readonly string[], labels: ReadonlyMap<string, number>): number[] =>
  names.flatMap((name) => labels.get(name) ?? []);

/** Name → id. */
async function labelIdsByName(
  tx: Transaction,
  project: LabelledProject,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { ancestorIds } = project.namespace;
  const labels = await tx.label.findMany({
    where: { name: { in: [...names] }, ...availableLabels(project) },
    select: { id: true, name: true, namespaceId: true },
  });
  // a group's ancestors end with the group itself; the nearest is written last, and the project's
  // own after it
  const nearness = ({ namespaceId }: { readonly namespaceId: number | null }) =>
    namespaceId === null ? ancestorIds.length : ancestorIds.indexOf(namespaceId);
  const ordered = labels.toSorted((a, b) => nearness(a) - nearness(b));
  return new Map(ordered.map(({ id, name }) => [name, id]));
}
