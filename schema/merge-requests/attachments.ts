import { Prisma, type Transaction } from '../../prisma/client.ts';
import { list } from '../kernel/sql.ts';
import { type LabelledProject, labelsByName } from '../labels/available.ts';
import { readersAmong } from '../projects/readers.ts';
import { sentences } from '../system-notes/sentences.ts';
import type { Difference, MergeRequestChange } from './differences.ts';
import type { LockedMergeRequest } from './lock.ts';

/** The rows referred to are held until the transaction ends, so that nobody removes them in between. */
const held = Prisma.raw('FOR KEY SHARE');

/** Another milestone, or none; one that is not the project's or a group's above changes nothing. */
export async function changeMilestone(
  tx: Transaction,
  { id: projectId, namespace }: LabelledProject,
  before: LockedMergeRequest,
  { milestoneId }: MergeRequestChange,
): Promise<readonly Difference[]> {
  if (milestoneId === undefined || milestoneId === before.milestoneId) return [];
  const told = { milestone_id: [before.milestoneId, milestoneId] } as const;
  if (milestoneId === null) {
    return [{ columns: { milestoneId }, sentences: [sentences.milestone(null)], told }];
  }
  const [milestone] = await tx.$queryRaw<{ title: string }[]>`
    SELECT title FROM milestones
    WHERE id = ${milestoneId}
      AND (project_id = ${projectId} OR namespace_id = ANY(${list(namespace.ancestorIds)})) ${held}`;
  if (!milestone) return [];
  return [{ columns: { milestoneId }, sentences: [sentences.milestone(milestone.title)], told }];
}

/** Somebody else, or nobody; one who may not see the project changes nothing. */
export async function changeAssignee(
  tx: Transaction,
  projectId: number,
  before: LockedMergeRequest,
  { assigneeId }: MergeRequestChange,
): Promise<readonly Difference[]> {
  if (assigneeId === undefined || assigneeId === before.assigneeId) return [];
  const [wanted] =
    assigneeId === null
      ? []
      : await tx.$queryRaw<{ id: number; username: string }[]>`
          ${readersAmong([assigneeId], projectId)} FOR KEY SHARE OF users`;
  if (assigneeId !== null && !wanted) return [];
  const sentence = sentences.assigned({
    added: wanted ? [wanted.username] : [],
    removed: before.assignee ? [before.assignee.username] : [],
  });
  const told = { assignee_id: [before.assigneeId, assigneeId] } as const;
  return [{ columns: { assigneeId }, sentences: [sentence], told }];
}

/** All labels that it is to have, by name. */
export async function changeLabels(
  tx: Transaction,
  project: LabelledProject,
  before: LockedMergeRequest,
  { labels }: MergeRequestChange,
): Promise<readonly Difference[]> {
  if (!labels) return [];
  const named = await labelsByName(tx, project, labels, { create: true });
  const wanted = await tx.$queryRaw<{ id: number; name: string }[]>`
    SELECT id, name FROM labels WHERE id = ANY(${list(named)}) ORDER BY id ${held}`;
  const added = without(wanted, before.labels);
  const removed = without(before.labels, wanted);
  if (added.length + removed.length === 0) return [];
  await tx.mergeRequestLabel.deleteMany({
    where: { mergeRequestId: before.id, labelId: { in: removed } },
  });
  await tx.mergeRequestLabel.createMany({
    data: added.map((labelId) => ({ mergeRequestId: before.id, labelId })),
  });
  const names = (rows: readonly { readonly name: string }[]) =>
    rows.map(({ name }) => name).toSorted();
  return [
    {
      isElsewhere: true,
      sentences: [sentences.labelled({ added, removed })],
      told: { labels: [names(before.labels), names(wanted)] },
    },
  ];
}

/** The ids of those that are not among the others. */
function without(
  rows: readonly { readonly id: number }[],
  others: readonly { readonly id: number }[],
): number[] {
  const known = new Set(others.map(({ id }) => id));
  return rows
    .map(({ id }) => id)
    .filter((id) => !known.has(id))
    .toSorted((a, b) => a - b);
}
