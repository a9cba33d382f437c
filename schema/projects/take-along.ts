import type { Transaction } from '../../prisma/client.ts';

/**
 * What a project uses of the groups it leaves comes along: its issues, board and priorities get
 * labels of the same name, its issues milestones of the same title, of the project or of the groups
 * it comes to where there are such, else copies. To be called with the project taken, once it is where
 * it goes; `ancestorIds` are the groups it is in then.
 */
export async function takeAlong(
  tx: Transaction,
  projectId: number,
  ancestorIds: readonly number[],
): Promise<void> {
  await takeLabelsAlong(tx, projectId, [...ancestorIds]);
  await takeMilestonesAlong(tx, projectId, [...ancestorIds]);
}

/** A record that was left behind, and what takes its place. */
interface Replacement {
  readonly formerId: number;
  readonly id: number;
}

async function takeLabelsAlong(tx: Transaction, projectId: number, ancestorIds: number[]) {
  const left = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM labels
    WHERE namespace_id <> ALL(${ancestorIds}) AND id IN (
      SELECT label_id FROM issue_labels JOIN issues ON issues.id = issue_id
      WHERE issues.project_id = ${projectId}
      UNION SELECT label_id FROM board_lists JOIN boards ON boards.id = board_id
      WHERE boards.project_id = ${projectId}
      UNION SELECT label_id FROM label_priorities WHERE project_id = ${projectId})`;
  if (left.length === 0) return;
  const ids = left.map(({ id }) => id);
  await tx.$executeRaw`
    INSERT INTO labels (project_id, name, color, description, updated_at)
    SELECT DISTINCT ON (name) ${projectId}, name, color, description, now()
    FROM labels former WHERE id = ANY(${ids}) AND NOT EXISTS (
      SELECT FROM labels WHERE name = former.name
        AND (project_id = ${projectId} OR namespace_id = ANY(${ancestorIds})))
    ORDER BY name, id`;
  const replacements = await tx.$queryRaw<Replacement[]>`
    SELECT DISTINCT ON (former.id) former.id AS "formerId", labels.id
    FROM labels former JOIN labels ON labels.name = former.name
      AND (labels.project_id = ${projectId} OR labels.namespace_id = ANY(${ancestorIds}))
    WHERE former.id = ANY(${ids})
    ORDER BY former.id, labels.project_id NULLS LAST, labels.id DESC`;
  for (const { formerId, id } of replacements) await replaceLabel(tx, projectId, formerId, id);
}

/** Where the new label is already, the former one just goes. */
async function replaceLabel(tx: Transaction, projectId: number, formerId: number, id: number) {
  await tx.$executeRaw`
    INSERT INTO issue_labels (issue_id, label_id)
    SELECT issue_id, ${id} FROM issue_labels JOIN issues ON issues.id = issue_id
    WHERE label_id = ${formerId} AND project_id = ${projectId}
    ON CONFLICT DO NOTHING`;
  await tx.$executeRaw`
    DELETE FROM issue_labels USING issues
    WHERE issues.id = issue_id AND label_id = ${formerId} AND project_id = ${projectId}`;
  const board = { board: { projectId } };
  const has = await tx.boardList.count({ where: { ...board, labelId: id, removedAt: null } });
  await tx.boardList.updateMany({
    where: { ...board, labelId: formerId, ...(has > 0 && { removedAt: { not: null } }) },
    data: { labelId: id },
  });
  await tx.boardList.deleteMany({ where: { ...board, labelId: formerId } });
  await tx.$executeRaw`
    INSERT INTO label_priorities (label_id, project_id, priority)
    SELECT ${id}, project_id, priority FROM label_priorities
    WHERE label_id = ${formerId} AND project_id = ${projectId}
    ON CONFLICT DO NOTHING`;
  await tx.labelPriority.deleteMany({ where: { labelId: formerId, projectId } });
}

async function takeMilestonesAlong(tx: Transaction, projectId: number, ancestorIds: number[]) {
  const left = await tx.milestone.findMany({
    where: { namespaceId: { notIn: ancestorIds }, issues: { some: { projectId } } },
    orderBy: { id: 'asc' },
  });
  for (const { id: formerId, title, description, state, startDate, dueDate } of left) {
    const known = await tx.milestone.findFirst({
      where: { title, OR: [{ projectId }, { namespaceId: { in: ancestorIds } }] },
      select: { id: true },
      orderBy: { projectId: { sort: 'asc', nulls: 'last' } },
    });
    const { id } =
      known ??
      (await tx.milestone.create({
        data: {
          ...{ title, description, state, startDate, dueDate, projectId },
          iid: await nextMilestone(tx, projectId),
        },
        select: { id: true },
      }));
    await tx.$executeRaw`
      UPDATE issues SET milestone_id = ${id}
      WHERE project_id = ${projectId} AND milestone_id = ${formerId}`;
  }
}

async function nextMilestone(tx: Transaction, projectId: number): Promise<number> {
  const { lastMilestoneIid } = await tx.project.update({
    where: { id: projectId },
    data: { lastMilestoneIid: { increment: 1 } },
    select: { lastMilestoneIid: true },
  });
  return lastMilestoneIid;
}
