import type { Prisma, Transaction } from '../../prisma/client.ts';
import { recordEvent } from '../activity/record.ts';
import type { Context } from '../kernel/context.ts';
import { invalid, notFound, recordNotFound, refuseFaults } from '../kernel/errors.ts';
import { onUniqueViolation, transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { sourceColumns } from '../members/members.ts';
import type { GroupOrProject } from '../projects/group-or-project.ts';
import { type MilestoneChange, milestoneFaults, titleTaken } from './faults.ts';
import { findMilestone } from './find.ts';

export interface NewMilestone extends MilestoneChange {
  readonly title: string;
}

/**
 * Creates a milestone with the next number of its group or project (v4-behaviour 3.9); gives its
 * id.
 */
export async function createMilestone(
  source: GroupOrProject,
  input: NewMilestone,
  { db, viewer }: Context,
): Promise<number> {
  const columns = trimmed(input);
  refuseFaults(milestoneFaults(columns));
  return transact(db, async (tx) => {
    const iid = await nextIid(tx, source);
    await refuseTakenTitle(tx, source, columns.title);
    const { id } = await tx.milestone.create({
      data: { ...columns, ...sourceColumns(source), iid },
      select: { id: true },
    });
    await recordMilestoneEvent(tx, source, { id, iid, title: columns.title }, 'created', viewer);
    return id;
  }).catch(refuseTaken);
}

const refuseTaken = onUniqueViolation(() => invalid(titleTaken));

/** Updates the given fields; gives the milestone's id. */
export async function updateMilestone(
  source: GroupOrProject,
  id: number,
  change: MilestoneChange,
  { db, viewer }: Context,
): Promise<number> {
  const columns = trimmed(change);
  return transact(db, async (tx) => {
    const after = await lockMilestone(tx, source, id);
    refuseFaults(milestoneFaults({ ...after, ...columns }));
    const { title } = columns;
    if (title !== undefined && title !== after.title) await refuseTakenTitle(tx, source, title);
    await tx.milestone.update({ where: { id }, data: columns, select: { id: true } });
    if (columns.state !== undefined && columns.state !== after.state) {
      const action = columns.state === 'closed' ? 'closed' : 'reopened';
      await recordMilestoneEvent(
        tx,
        source,
        { ...after, title: title ?? after.title },
        action,
        viewer,
      );
    }
    return id;
  }).catch(refuseTaken);
}

/** Deletes a milestone; its issues stay without one. */
export async function deleteMilestone(
  source: GroupOrProject,
  id: number,
  ctx: Context,
): Promise<void> {
  refuseModified(await findMilestone(source, id, ctx), ctx);
  await transact(ctx.db, async (tx) => {
    const milestone = await lockMilestone(tx, source, id);
    await tx.milestone.delete({ where: { id }, select: { id: true } });
    await recordMilestoneEvent(tx, source, milestone, 'destroyed', ctx.viewer);
  });
}

/** Groups have no events. */
async function recordMilestoneEvent(
  tx: Transaction,
  { kind, id: projectId }: GroupOrProject,
  { id, iid, title }: { readonly id: number; readonly iid: number; readonly title: string },
  action: 'created' | 'closed' | 'reopened' | 'destroyed',
  viewer: Context['viewer'],
): Promise<void> {
  if (kind !== 'project' || !viewer) return;
  await recordEvent(tx, {
    projectId,
    authorId: viewer.id,
    action,
    target: 'milestone',
    targetId: id,
    targetIid: iid,
    targetTitle: title,
  });
}

const trimmed = <Change extends MilestoneChange>(change: Change): Change => ({
  ...change,
  ...(change.title !== undefined && { title: change.title.trim() }),
});

/**
 * Takes the next number. Concurrent requests wait, and reuse the number if this transaction fails.
 */
async function nextIid(tx: Transaction, { kind, id }: GroupOrProject): Promise<number> {
  const [row] =
    kind === 'group'
      ? await tx.$queryRaw<{ iid: number }[]>`
          UPDATE namespaces SET last_milestone_iid = last_milestone_iid + 1
          WHERE id = ${id} AND NOT is_removed RETURNING last_milestone_iid AS iid`
      : await tx.$queryRaw<{ iid: number }[]>`
          UPDATE projects SET last_milestone_iid = last_milestone_iid + 1
          WHERE id = ${id} AND NOT is_removed RETURNING last_milestone_iid AS iid`;
  if (!row) throw notFound(kind === 'group' ? 'Group' : 'Project');
  return row.iid;
}

/** Locks the milestone until the transaction ends. */
async function lockMilestone(tx: Transaction, source: GroupOrProject, id: number) {
  await tx.$queryRaw`SELECT id FROM milestones WHERE id = ${id} FOR UPDATE`;
  const milestone = await tx.milestone.findFirst({
    where: { id, ...sourceColumns(source) },
    select: { id: true, iid: true, state: true, title: true, startDate: true, dueDate: true },
  });
  if (!milestone) throw recordNotFound();
  return milestone;
}

/** A title is unique in a project together with its group. */
async function refuseTakenTitle(
  tx: Transaction,
  source: GroupOrProject,
  title: string,
): Promise<void> {
  const rival = await tx.milestone.findFirst({
    where: { title, OR: rivalsOf(source) },
    select: { id: true },
  });
  if (rival) throw invalid(titleTaken);
}

function rivalsOf(source: GroupOrProject): Prisma.MilestoneWhereInput[] {
  const { kind, id, ancestorIds } = source;
  // a namespace's ancestors end with itself
  return kind === 'group'
    ? [{ namespaceId: id }, { project: { namespaceId: id, isRemoved: false } }]
    : [{ projectId: id }, { namespaceId: ancestorIds.at(-1) ?? 0 }];
}
