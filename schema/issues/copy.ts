import { Prisma, type Transaction } from '../../prisma/client.ts';
import { insertLabels } from '../issuables/attachments.ts';
import { issueKind } from '../issuables/kinds.ts';
import { list } from '../kernel/sql.ts';
import { type LabelledProject, labelsByName } from '../labels/available.ts';
import { readersAmong } from '../projects/readers.ts';
import type { LockedIssue } from './lock.ts';

/**
 * Copies an issue into another project under its next number. Keeps the labels and milestone that
 * exist there by name, and the assignees who can see that project. Gives the copy's id.
 */
export async function copyIssue(
  tx: Transaction,
  issue: LockedIssue,
  target: LabelledProject,
  iid: number,
  labelIds: readonly number[],
): Promise<number> {
  const { id: _id, createdAt, title, description, assignees, labels: _labels, ...rest } = issue;
  const { milestone, movedToId: _movedToId, updatedAt: _updatedAt, ...columns } = rest;
  const copy = await tx.issue.create({
    data: {
      ...columns,
      projectId: target.id,
      iid,
      createdAt,
      milestoneId: milestone && (await milestoneByTitle(tx, target, milestone.title)),
      text: { create: { title, description } },
    },
    select: { id: true },
  });
  await insertLabels(tx, issueKind, copy.id, labelIds);
  await tx.$executeRaw`
    INSERT INTO issue_assignees (issue_id, user_id)
    SELECT ${copy.id}::int, id FROM (
      ${readersAmong(
        assignees.map(({ id }) => id),
        target.id,
      )} FOR KEY SHARE OF users) readers`;
  await copyNotesAndAwards(tx, issue.id, copy.id);
  return copy.id;
}

/** The ids of the target project's labels with the same names; creates none. */
export const labelsByNameIn = (
  tx: Transaction,
  { labels }: LockedIssue,
  target: LabelledProject,
): Promise<number[]> =>
  labelsByName(
    tx,
    target,
    labels.map(({ name }) => name),
    { create: false },
  );

/** Prefers the project's own milestone to a group's, and a nearer group's to a more distant one. */
async function milestoneByTitle(
  tx: Transaction,
  { id, namespace }: LabelledProject,
  title: string,
): Promise<number | null> {
  const [milestone] = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM milestones
    WHERE title = ${title}
      AND (project_id = ${id} OR namespace_id = ANY(${list(namespace.ancestorIds)}))
    ORDER BY array_position(${list(namespace.ancestorIds)}, namespace_id) DESC NULLS FIRST
    LIMIT 1 FOR KEY SHARE`;
  return milestone?.id ?? null;
}

const noteColumns = Prisma.raw(
  'author_id, body, is_system, is_in_thread, is_reply, created_at, updated_at',
);
const awardColumns = Prisma.raw('user_id, name, created_at, updated_at');

/**
 * Copies all notes with their threads, and all award emoji, with one statement each, however many
 * there are.
 */
async function copyNotesAndAwards(tx: Transaction, from: number, to: number): Promise<void> {
  await tx.$executeRaw`
    WITH pairs AS MATERIALIZED (
      SELECT id, nextval('notes_id_seq')::int AS copy_id
      FROM (SELECT id FROM notes WHERE issue_id = ${from} ORDER BY id) ordered
    ), copied AS (
      INSERT INTO notes (id, issue_id, ${noteColumns})
      SELECT copy_id, ${to}::int, ${noteColumns} FROM notes JOIN pairs USING (id)
    ), threads AS (
      INSERT INTO thread_notes (note_id, first_note_id, started_by)
      SELECT pairs.copy_id, first_pair.copy_id, first_pair.copy_id FROM thread_notes
      JOIN pairs ON pairs.id = note_id JOIN pairs first_pair ON first_pair.id = first_note_id
    )
    INSERT INTO award_emojis (note_id, ${awardColumns})
    SELECT copy_id, ${awardColumns} FROM award_emojis JOIN pairs ON pairs.id = note_id
    ORDER BY award_emojis.id`;
  await tx.$executeRaw`
    INSERT INTO award_emojis (issue_id, ${awardColumns})
    SELECT ${to}::int, ${awardColumns} FROM award_emojis WHERE issue_id = ${from} ORDER BY id`;
}
