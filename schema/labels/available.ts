import type { Prisma, Transaction } from '../../prisma/client.ts';
import { refuseFaults } from '../kernel/errors.ts';
import { insufficientLocks } from '../kernel/storage-errors.ts';
import { nameFaults } from './faults.ts';

/** What must be known of a project to tell the labels that there are for its issues. */
export interface LabelledProject {
  readonly id: number;
  readonly namespace: { readonly ancestorIds: readonly number[] };
}

/** The labels of a project, and of the groups above it, as a filter (v4-behaviour 3.6). */
export const availableLabels = ({
  id,
  namespace: { ancestorIds },
}: LabelledProject): Prisma.LabelWhereInput => ({
  OR: [{ projectId: id }, { namespaceId: { in: [...ancestorIds] } }],
});

/** What a label has that is made by its name alone. */
export const defaultColor = '#428BCA';

interface Wanted {
  /** Make the labels that are not there, in the project; refuses names that no label may have. */
  readonly create: boolean;
}

/**
 * The ids of the labels called so, in the order of the names: the project's own before a group's, a
 * nearer group's before one further up. Names are trimmed; what is not found is left out. Whoever
 * also locks the project's row does so after this in one transaction, as everybody does.
 */
export async function labelsByName(
  tx: Transaction,
  project: LabelledProject,
  names: readonly string[],
  { create }: Wanted,
): Promise<number[]> {
  const wanted = [...new Set(names.map((name) => name.trim()))].filter((name) => name !== '');
  if (wanted.length === 0) return [];
  const before = await lookUp(tx, project, wanted);
  // in one order for all writers, of whom no two then wait for each other
  const missing = wanted.filter((name) => !before.has(name)).toSorted();
  if (!create || missing.length === 0) return idsIn(wanted, before);
  refuseFaults({ labels: [...new Set(missing.flatMap(nameFaults))] });
  await tx.label.createMany({
    data: missing.map((name) => ({ projectId: project.id, name, color: defaultColor })),
    skipDuplicates: true,
  });
  const after = await lookUp(tx, project, wanted);
  // whoever was faster has taken it away again
  if (after.size < wanted.length) throw insufficientLocks;
  return idsIn(wanted, after);
}

const idsIn = (names: readonly string[], labels: ReadonlyMap<string, number>): number[] =>
  names.flatMap((name) => labels.get(name) ?? []);

/** Name → id. */
async function lookUp(
  tx: Transaction,
  project: LabelledProject,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { ancestorIds } = project.namespace;
  const found = await tx.label.findMany({
    where: { name: { in: [...names] }, ...availableLabels(project) },
    select: { id: true, name: true, namespaceId: true },
  });
  // a group's ancestors end with itself, and the nearest is to be written last but for the project's
  const nearness = ({ namespaceId }: { readonly namespaceId: number | null }) =>
    namespaceId === null ? ancestorIds.length : ancestorIds.indexOf(namespaceId);
  const ordered = found.toSorted((a, b) => nearness(a) - nearness(b));
  return new Map(ordered.map(({ id, name }) => [name, id]));
}
