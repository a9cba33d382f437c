import { Prisma, type Transaction } from '../../prisma/client.ts';
import { list } from '../kernel/sql.ts';
import { type LabelledProject, labelsByName } from '../labels/available.ts';
import { readersAmong } from '../projects/readers.ts';
import { sentences } from '../system-notes/sentences.ts';
import type { Difference, IssueChange } from './differences.ts';
import type { LockedIssue } from './lock.ts';

/** The rows referred to are held until the transaction ends, so that nobody removes them in between. */
const held = Prisma.raw('FOR KEY SHARE');

/** Another milestone, or none; one that is not the project's or a group's above changes nothing. */
export async function changeMilestone(
  tx: Transaction,
  { id: projectId, namespace }: LabelledProject,
  before: LockedIssue,
  { milestoneId }: IssueChange,
): Promise<readonly Difference[]> {
  if (milestoneId === undefined || milestoneId === before.milestoneId) return [];
  if (milestoneId === null) {
    return [{ columns: { milestoneId }, sentence: sentences.milestone(null) }];
  }
  const [milestone] = await tx.$queryRaw<{ title: string }[]>`
    SELECT title FROM milestones
    WHERE id = ${milestoneId}
      AND (project_id = ${projectId} OR namespace_id = ANY(${list(namespace.ancestorIds)})) ${held}`;
  if (!milestone) return [];
  return [{ columns: { milestoneId }, sentence: sentences.milestone(milestone.title) }];
}

/**
 * Other people, of whom those who may not see the project are left out; when none of those named may,
 * all stays as it is.
 */
export async function changeAssignees(
  tx: Transaction,
  projectId: number,
  before: LockedIssue,
  { assigneeIds }: IssueChange,
): Promise<readonly Difference[]> {
  if (!assigneeIds) return [];
  const wanted = await tx.$queryRaw<{ id: number; username: string }[]>`
    ${readersAmong(assigneeIds, projectId)} ORDER BY users.id FOR KEY SHARE OF users`;
  if (assigneeIds.length > 0 && wanted.length === 0) return [];
  const added = without(wanted, before.assignees);
  const removed = without(before.assignees, wanted);
  if (added.length + removed.length === 0) return [];
  await tx.issueAssignee.deleteMany({
    where: { issueId: before.id, userId: { in: removed.map(({ id }) => id) } },
  });
  await tx.issueAssignee.createMany({
    data: added.map(({ id }) => ({ issueId: before.id, userId: id })),
  });
  const named = (people: typeof wanted) => people.map(({ username }) => username);
  const sentence = sentences.assigned({ added: named(added), removed: named(removed) });
  return [{ sentence }];
}

/** Other labels by name: all that it is to have, or some more and some less. */
export async function changeLabels(
  tx: Transaction,
  project: LabelledProject,
  before: LockedIssue,
  { labels, addLabels, removeLabels }: IssueChange,
): Promise<readonly Difference[]> {
  if (!labels && !addLabels && !removeLabels) return [];
  const less = new Set(removeLabels?.map((name) => name.trim()));
  const kept = labels ? [] : before.labels.filter(({ name }) => !less.has(name));
  const named = await labelsByName(tx, project, [...(labels ?? []), ...(addLabels ?? [])], {
    create: true,
  });
  const wanted = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM labels
    WHERE id = ANY(${list([...kept.map(({ id }) => id), ...named])}) ORDER BY id ${held}`;
  const ids = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);
  const added = ids(without(wanted, before.labels));
  const removed = ids(without(before.labels, wanted));
  if (added.length + removed.length === 0) return [];
  await tx.issueLabel.deleteMany({ where: { issueId: before.id, labelId: { in: removed } } });
  await tx.issueLabel.createMany({
    data: added.map((labelId) => ({ issueId: before.id, labelId })),
  });
  return [{ sentence: sentences.labelled({ added, removed }) }];
}

function without<Row extends { readonly id: number }>(
  rows: readonly Row[],
  others: readonly { readonly id: number }[],
): Row[] {
  const known = new Set(others.map(({ id }) => id));
  return rows.filter(({ id }) => !known.has(id)).toSorted((a, b) => a.id - b.id);
}
