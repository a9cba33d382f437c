import { Prisma, type Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { notFound, refuseFaults } from '../kernel/errors.ts';
import { list } from '../kernel/sql.ts';
import { transact } from '../kernel/storage-errors.ts';
import { labelsByName } from '../labels/available.ts';
import { readersAmong } from '../projects/readers.ts';
import { issueFaults } from './faults.ts';
import { findIssueProject, signedIn } from './find.ts';
import { canAdminIssues, canSetCreatedAt } from './policy.ts';

export interface NewIssue {
  readonly title: string;
  readonly description?: string | null | undefined;
  readonly isConfidential?: boolean | null | undefined;
  readonly dueDate?: Date | null | undefined;
  readonly milestoneId?: number | null | undefined;
  readonly assigneeIds?: readonly number[] | null | undefined;
  /** Names; what there is not yet is made. */
  readonly labels?: readonly string[] | null | undefined;
  readonly createdAt?: Date | null | undefined;
}

/**
 * Writes an issue and gives its id; whoever may see the project may. Below reporters labels, people,
 * milestone and due date are left aside, as are people who may not see the project, a milestone that
 * is not the project's or a group's above, and a moment that only owners may name (v4-behaviour 3.3).
 */
export async function createIssue(ref: string, asked: NewIssue, ctx: Context): Promise<number> {
  const viewer = signedIn(ctx);
  const project = await findIssueProject(ref, ctx);
  const { title, description, isConfidential } = asked;
  const issue = {
    ...(canAdminIssues(project.level) ? asked : { title, description, isConfidential }),
    createdAt: canSetCreatedAt(project.level) ? asked.createdAt : null,
    authorId: viewer.id,
  };
  refuseFaults(issueFaults(issue));
  const labels = 'labels' in issue ? (issue.labels ?? []) : [];
  // one statement is a transaction by itself
  if (labels.length === 0) return insertIssue(ctx.db, project, issue, []);
  return transact(ctx.db, async (tx) => {
    const labelIds = await labelsByName(tx, project, labels, { create: true });
    return insertIssue(tx, project, issue, labelIds);
  });
}

interface Home {
  readonly id: number;
  readonly namespace: { readonly ancestorIds: readonly number[] };
}

/**
 * Number, issue and everything on it by one statement. The project's row is taken first, and the
 * clock read then, so that numbers and moments come in the same order.
 */
async function insertIssue(
  tx: Transaction,
  { id: projectId, namespace }: Home,
  issue: NewIssue & { readonly authorId: number },
  labelIds: readonly number[],
): Promise<number> {
  const isConfidential = issue.isConfidential ?? false;
  const dueDate = issue.dueDate?.toISOString().slice(0, 10) ?? null;
  const { authorId, milestoneId, createdAt } = issue;
  const people = [...new Set(issue.assigneeIds ?? [])];
  const milestone = milestoneId
    ? Prisma.sql`(SELECT id FROM milestones
        WHERE id = ${milestoneId}
          AND (project_id = numbered.id OR namespace_id = ANY(${list(namespace.ancestorIds)}))
        FOR KEY SHARE)`
    : Prisma.raw('NULL::int');
  const [made] = await tx.$queryRaw<{ id: number }[]>`
    WITH numbered AS (
      UPDATE projects
      SET last_issue_iid = last_issue_iid + 1,
        open_issues_count = open_issues_count + ${isConfidential ? 0 : 1}
      WHERE id = ${projectId} AND NOT is_removed
      RETURNING id, last_issue_iid AS iid, clock_timestamp() AS now
    ), issue AS (
      INSERT INTO issues (project_id, iid, author_id, milestone_id, is_confidential, due_date,
        created_at, updated_at)
      SELECT id, iid, ${authorId}, ${milestone}, ${isConfidential}, ${dueDate}::date,
        coalesce(${createdAt?.toISOString() ?? null}::timestamptz, now), now
      FROM numbered
      RETURNING id
    ), described AS (
      INSERT INTO issue_texts (issue_id, title, description)
      SELECT id, ${issue.title.trim()}, ${issue.description ?? null}::text FROM issue
    )${people.length > 0 ? assigned(people) : Prisma.empty}${
      labelIds.length > 0 ? labelled(labelIds) : Prisma.empty
    }
    SELECT id FROM issue`;
  if (!made) throw notFound('Project');
  return made.id;
}

/** Rows that are referred to are held, so that nobody removes them in between. */
const assigned = (userIds: readonly number[]): Prisma.Sql => Prisma.sql`,
  people AS (
    ${readersAmong(userIds, Prisma.sql`(SELECT id FROM numbered)`)} FOR KEY SHARE OF users
  ), assigned AS (
    INSERT INTO issue_assignees (issue_id, user_id) SELECT issue.id, people.id FROM issue, people
  )`;

const labelled = (labelIds: readonly number[]): Prisma.Sql => Prisma.sql`,
  words AS (
    SELECT id FROM labels
    WHERE id = ANY(${list(labelIds)}) AND EXISTS (SELECT FROM numbered) FOR KEY SHARE
  ), labelled AS (
    INSERT INTO issue_labels (issue_id, label_id) SELECT issue.id, words.id FROM issue, words
  )`;
