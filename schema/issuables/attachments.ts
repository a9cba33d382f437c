import { Prisma, type Transaction } from '../../prisma/client.ts';
import { list } from '../kernel/sql.ts';
import { type LabelledProject, labelsByName } from '../labels/available.ts';
import { sentences } from '../system-notes/sentences.ts';
import type { Difference } from './differences.ts';
import type { IssuableKind } from './kinds.ts';

/** Locks the rows referred to until the transaction ends, against a concurrent deletion. */
const lockClause = Prisma.raw('FOR KEY SHARE');

interface Planned {
  readonly milestoneId: number | null;
}

/** Sets or clears the milestone; ignores one that is not the project's or an ancestor group's. */
export async function changeMilestone(
  tx: Transaction,
  { id: projectId, namespace }: LabelledProject,
  before: Planned,
  { milestoneId }: { readonly milestoneId?: number | null | undefined },
): Promise<readonly Difference<Planned>[]> {
  if (milestoneId === undefined || milestoneId === before.milestoneId) return [];
  const [milestone] =
    milestoneId === null
      ? []
      : await tx.$queryRaw<{ title: string }[]>`
          SELECT title FROM milestones
          WHERE id = ${milestoneId} AND (project_id = ${projectId}
            OR namespace_id = ANY(${list(namespace.ancestorIds)})) ${lockClause}`;
  if (milestoneId !== null && !milestone) return [];
  return [
    {
      columns: { milestoneId },
      sentences: [sentences.milestone(milestone?.title ?? null)],
      hookChanges: { milestone_id: [before.milestoneId, milestoneId] },
    },
  ];
}

/**
 * For the insertion of a row into the project `numbered`: the milestone, locked, or null for one
 * that is neither the project's nor an ancestor group's.
 */
export const newMilestone = (
  milestoneId: number | null | undefined,
  { namespace }: LabelledProject,
): Prisma.Sql =>
  milestoneId
    ? Prisma.sql`(SELECT id FROM milestones
        WHERE id = ${milestoneId} AND (project_id = numbered.id
          OR namespace_id = ANY(${list(namespace.ancestorIds)})) ${lockClause})`
    : Prisma.raw('NULL::int');

/** Adds those of the labels that still exist to a new issue or merge request. */
export async function insertLabels(
  tx: Transaction,
  { labels: table, reference }: IssuableKind,
  id: number,
  labelIds: readonly number[],
): Promise<void> {
  if (labelIds.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO ${table} (${reference}, label_id)
    SELECT ${id}::int, existing.id FROM (
      SELECT id FROM labels WHERE id = ANY(${list(labelIds)}) ${lockClause}) existing`;
}

interface Named {
  readonly id: number;
  readonly name: string;
}

type Names = readonly string[] | null | undefined;

/** Sets the labels by name, or adds and removes some. Creates labels that do not exist. */
export async function changeLabels(
  tx: Transaction,
  { labels: table, reference }: IssuableKind,
  project: LabelledProject,
  before: { readonly id: number; readonly labels: readonly Named[] },
  {
    labels,
    addLabels,
    removeLabels,
  }: { readonly labels?: Names; readonly addLabels?: Names; readonly removeLabels?: Names },
): Promise<readonly Difference<never>[]> {
  if (!labels && !addLabels && !removeLabels) return [];
  const removedNames = new Set(removeLabels?.map((name) => name.trim()));
  const kept = labels ? [] : before.labels.filter(({ name }) => !removedNames.has(name));
  const namedIds = await labelsByName(tx, project, [...(labels ?? []), ...(addLabels ?? [])], {
    create: true,
  });
  const after = await tx.$queryRaw<Named[]>`
    SELECT id, name FROM labels
    WHERE id = ANY(${list([...kept.map(({ id }) => id), ...namedIds])}) ORDER BY id ${lockClause}`;
  const added = without(after, before.labels).map(({ id }) => id);
  const removed = without(before.labels, after).map(({ id }) => id);
  if (added.length + removed.length === 0) return [];
  await tx.$executeRaw`
    DELETE FROM ${table} WHERE ${reference} = ${before.id} AND label_id = ANY(${list(removed)})`;
  await tx.$executeRaw`
    INSERT INTO ${table} (${reference}, label_id)
    SELECT ${before.id}::int, unnest(${list(added)})`;
  return [
    {
      sentences: [sentences.labelled({ added, removed })],
      hookChanges: { labels: [namesOf(before.labels), namesOf(after)] },
    },
  ];
}

const namesOf = (rows: readonly Named[]) => rows.map(({ name }) => name).toSorted();

/** The rows of other ids than `others`, by id. */
export function without<Row extends { readonly id: number }>(
  rows: readonly Row[],
  others: readonly { readonly id: number }[],
): Row[] {
  const ids = new Set(others.map(({ id }) => id));
  return rows.filter(({ id }) => !ids.has(id)).toSorted((a, b) => a.id - b.id);
}
