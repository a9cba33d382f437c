import type { z } from 'zod';
import { Prisma, type Transaction } from '../../prisma/client.ts';
import { list } from '../../schema/kernel/sql.ts';
import { transact } from '../../schema/kernel/storage-errors.ts';
import { defaultColor } from '../../schema/labels/available.ts';
import { colorOf, nameFaults } from '../../schema/labels/faults.ts';
import type { ImportParts } from './parts.ts';
import { labelShape, milestoneShape } from './shapes.ts';
import { cut, longestText, longestTitle } from './texts.ts';

/** The project or group that labels and milestones are imported into. */
export interface Planner {
  /** The path of the original in the source's API. */
  readonly path: string;
  /** For messages. */
  readonly fullPath: string;
  readonly owner: { readonly projectId: number } | { readonly namespaceId: number };
  /** The groups whose labels and milestones it may use. */
  readonly ancestorIds: readonly number[];
}

/** What may be used in a planner, its own and those of the groups above it. */
const available = ({ owner, ancestorIds }: Planner) => ({
  OR: [owner, { namespaceId: { in: [...ancestorIds] } }],
});

/**
 * The labels of the planner, also those of groups above the original that the groups here do not
 * have. Returns their names by the ids of the source.
 */
export async function importLabels(
  planner: Planner,
  { source, db, report }: ImportParts,
): Promise<ReadonlyMap<number, string>> {
  const names = new Map<number, string>();
  const { owner, path, fullPath } = planner;
  await report.part(`${fullPath} labels`, async () => {
    for await (const page of source.pages(`${path}/labels`, labelShape)) {
      for (const { id: sourceId, priority, ...label } of page) {
        const name = label.name.trim();
        if (nameFaults(name).length > 0) {
          report.leaveOut(`${fullPath} label ${name}: its name is not valid here`);
          continue;
        }
        names.set(sourceId, name);
        const description = label.description ? cut(label.description, longestText) : null;
        const color = colorOf(label.color) ?? defaultColor;
        if (await db.label.count({ where: { name, ...available(planner) } })) continue;
        const [added] = await db.label.createManyAndReturn({
          data: [{ ...owner, name, color, description }],
          skipDuplicates: true,
          select: { id: true },
        });
        if (!added) continue;
        report.add('labels', name);
        if (priority == null || !('projectId' in owner)) continue;
        const data = [{ ...owner, labelId: added.id, priority }];
        await db.labelPriority.createMany({ data, skipDuplicates: true });
      }
    }
  });
  return names;
}

/** The milestones of a planner by their titles. */
export interface Milestones {
  /** The titles by the ids of the source. */
  readonly titles: ReadonlyMap<number, string>;
  /**
   * The id of a milestone that a record of the source refers to. One of a group that is not here is
   * added to the project.
   */
  readonly find: (milestone: Milestone | null | undefined) => Promise<number | null>;
}

type Milestone = z.infer<typeof milestoneShape>;

/** The planner's own come last, so that they win. */
async function milestonesOf(
  { owner, ancestorIds }: Planner,
  tx: Transaction,
): Promise<Map<string, number>> {
  const own =
    'projectId' in owner
      ? Prisma.sql`project_id = ${owner.projectId}`
      : Prisma.sql`namespace_id = ${owner.namespaceId}`;
  const rows = await tx.$queryRaw<{ id: number; title: string }[]>`
    SELECT id, title FROM milestones
    WHERE ${own} OR namespace_id = ANY(${list(ancestorIds)})
    ORDER BY array_position(${list(ancestorIds)}, namespace_id) NULLS LAST`;
  return new Map(rows.map((row) => [row.title, row.id]));
}

/** The milestones of the planner, with their numbers. */
export async function importMilestones(
  planner: Planner,
  { source, db, report }: ImportParts,
): Promise<Milestones> {
  const { path, fullPath } = planner;
  const titles = new Map<number, string>();
  const ids = await milestonesOf(planner, db);
  const find: Milestones['find'] = async (milestone) => {
    if (!milestone) return null;
    const title = cut(milestone.title, longestTitle);
    const existing = ids.get(title);
    if (existing !== undefined) return existing;
    const added = await transact(db, (tx) => addMilestone(tx, planner, { ...milestone, title }));
    ids.set(title, added.id);
    if (added.isNew) report.add('milestones', title);
    return added.id;
  };
  await report.part(`${fullPath} milestones`, async () => {
    for await (const page of source.pages(`${path}/milestones`, milestoneShape)) {
      // the newest first, and ids give the order here
      for (const milestone of page.toReversed()) {
        titles.set(milestone.id, cut(milestone.title, longestTitle));
        await find(milestone);
      }
    }
  });
  return { titles, find };
}

/** Adds a milestone with its number, or with the next one if that is taken. */
async function addMilestone(
  tx: Transaction,
  planner: Planner,
  { title, iid: wanted, description, state, ...times }: Milestone,
): Promise<{ readonly id: number; readonly isNew: boolean }> {
  const { owner } = planner;
  const last = await lockNumbers(tx, owner);
  const existing = await tx.milestone.findFirst({
    where: { title, ...available(planner) },
    select: { id: true },
  });
  if (existing) return { id: existing.id, isNew: false };
  // the number of a group's milestone is another one in a project
  const isOwn = times.project_id != null || 'namespaceId' in owner;
  const isFree = isOwn && (await tx.milestone.count({ where: { ...owner, iid: wanted } })) === 0;
  const iid = isFree ? wanted : last + 1;
  const { id } = await tx.milestone.create({
    data: {
      ...owner,
      iid,
      title,
      description: description ? cut(description, longestText) : null,
      state,
      startDate: times.start_date ?? null,
      dueDate: times.due_date ?? null,
      createdAt: times.created_at,
      updatedAt: times.updated_at,
    },
    select: { id: true },
  });
  const data = { lastMilestoneIid: Math.max(last, iid) };
  await ('projectId' in owner
    ? tx.project.updateMany({ where: { id: owner.projectId }, data })
    : tx.namespace.updateMany({ where: { id: owner.namespaceId }, data }));
  return { id, isNew: true };
}

/** The last number of a milestone; no other writer takes the next one until the transaction ends. */
async function lockNumbers(tx: Transaction, owner: Planner['owner']): Promise<number> {
  const row =
    'projectId' in owner
      ? Prisma.sql`projects WHERE id = ${owner.projectId}`
      : Prisma.sql`namespaces WHERE id = ${owner.namespaceId}`;
  const [locked] = await tx.$queryRaw<{ last: number }[]>`
    SELECT last_milestone_iid AS last FROM ${row} AND NOT is_removed FOR UPDATE`;
  if (!locked) throw new Error('The project or group was removed during its import.');
  return locked.last;
}
