import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, invalid, notFound, refuseFaults } from '../kernel/errors.ts';
import { onRecordMissing, onUniqueViolation, transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { sourceColumns } from '../members/members.ts';
import type { GroupOrProject } from '../projects/group-or-project.ts';
import { colorFaults, colorOf, nameFaults, priorityFaults } from './faults.ts';
import { findOwnLabel, labelsOf } from './find.ts';
import type { LabelReference } from './types.ts';

/** The new values of a label; omitted fields stay unchanged. */
export interface LabelChange {
  readonly name?: string;
  readonly color?: string;
  readonly description?: string | null;
  /** Null clears it. */
  readonly priority?: number | null;
}

export interface NewLabel extends LabelChange {
  readonly name: string;
  readonly color: string;
}

/**
 * Creates a label, whose name must be unique in the source and its ancestor groups (v4-behaviour
 * 3.6). Gives its id.
 */
export async function createLabel(
  source: GroupOrProject,
  { priority, ...input }: NewLabel,
  { db }: Context,
): Promise<number> {
  const columns = trimmed(input);
  refuseInvalid(source, { ...columns, priority });
  return transact(db, async (tx) => {
    if (await isNameTaken(tx, source, columns.name)) throw existing();
    const { id } = await tx.label.create({
      data: { ...columns, ...sourceColumns(source) },
      select: { id: true },
    });
    if (typeof priority === 'number') await setPriority(tx, source, id, priority);
    return id;
  })
    .catch(onUniqueViolation(existing))
    .catch(onRecordMissing(() => notFound(source.kind === 'group' ? 'Group' : 'Project')));
}

const existing = () => conflict('Label already exists');

/** Updates a source's own label; gives its id. */
export async function updateLabel(
  source: GroupOrProject,
  reference: LabelReference,
  { priority, ...change }: LabelChange,
  { db }: Context,
): Promise<number> {
  const columns = trimmed(change);
  refuseInvalid(source, { ...columns, priority });
  const label = await findOwnLabel(source, reference, { db });
  // v4 has two texts for the same error (v4-behaviour 3.6)
  if (!label) throw notFound(reference.idOrName ? 'Label' : 'Label not found');
  const { name } = columns;
  await transact(db, async (tx) => {
    if (name !== undefined && name !== label.name && (await isNameTaken(tx, source, name))) {
      throw invalid(nameTaken);
    }
    await tx.label.update({ where: { id: label.id }, data: columns, select: { id: true } });
    if (priority !== undefined) await setPriority(tx, source, label.id, priority);
  })
    .catch(onUniqueViolation(() => invalid(nameTaken)))
    .catch(onRecordMissing(() => notFound('Label')));
  return label.id;
}

const nameTaken = { name: ['has already been taken'] };

/** Deletes a source's own label, and removes it from issues and boards. */
export async function deleteLabel(
  source: GroupOrProject,
  reference: LabelReference,
  ctx: Context,
): Promise<number> {
  const label = await findOwnLabel(source, reference, ctx);
  if (!label) throw notFound('Label');
  refuseModified(label, ctx);
  const { count } = await transact(ctx.db, (tx) =>
    tx.label.deleteMany({ where: { id: label.id } }),
  );
  if (count === 0) throw notFound('Label');
  return label.id;
}

const trimmed = <Change extends LabelChange>(change: Change): Change => ({
  ...change,
  ...(change.name !== undefined && { name: change.name.trim() }),
  ...(change.color !== undefined && { color: colorOf(change.color) ?? change.color }),
});

type Unchecked = Omit<LabelChange, 'priority'> & { readonly priority?: number | null | undefined };

function refuseInvalid({ kind }: GroupOrProject, { name, color, priority }: Unchecked): void {
  const isNumber = typeof priority === 'number';
  refuseFaults({
    name: name === undefined ? [] : nameFaults(name),
    color: color === undefined ? [] : colorFaults(colorOf(color)),
    priority: isNumber ? priorityFaults(priority) : [],
    base: isNumber && kind === 'group' ? ['Labels of groups have no priority'] : [],
  });
}

const isNameTaken = async (tx: Transaction, source: GroupOrProject, name: string) =>
  (await tx.label.findFirst({ where: { ...labelsOf(source), name }, select: { id: true } })) !==
  null;

async function setPriority(
  tx: Transaction,
  { kind, id: projectId }: GroupOrProject,
  labelId: number,
  priority: number | null,
): Promise<void> {
  if (kind === 'group') return;
  if (priority === null) {
    await tx.labelPriority.deleteMany({ where: { labelId, projectId } });
    return;
  }
  await tx.labelPriority.upsert({
    where: { labelId_projectId: { labelId, projectId } },
    create: { labelId, projectId, priority },
    update: { priority },
  });
}
