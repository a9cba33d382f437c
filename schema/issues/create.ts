import { Prisma, type Transaction } from '../../prisma/client.ts';
import { subscribedHooks } from '../activity/notify-hooks.ts';
import { insertEvent, lastActivity } from '../activity/record.ts';
import { newMilestone } from '../issuables/attachments.ts';
import { issuableFaults } from '../issuables/faults.ts';
import type { Context } from '../kernel/context.ts';
import { notFound, refuseFaults } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { list } from '../kernel/sql.ts';
import { transact } from '../kernel/storage-errors.ts';
import { type LabelledProject, labelsByName } from '../labels/available.ts';
import { readersAmong } from '../projects/readers.ts';
import { mentionsOf, textOf } from '../todos/mentions.ts';
import { makesTodos, recordTodos } from '../todos/record.ts';
import { findIssueProject } from './find.ts';
import type { NewIssue } from './inputs.ts';
import { notifyIssueChange } from './notify.ts';
import { canAdminIssues, canSetCreatedAt } from './policy.ts';

/**
 * Creates an issue and gives its id. Any signed-in user who sees the project may. Ignores labels,
 * assignees, milestone and due date from users below reporter, `createdAt` from users below owner,
 * assignees who cannot see the project, and a milestone of neither the project nor an ancestor
 * group (v4-behaviour 3.3).
 */
export async function createIssue(ref: string, input: NewIssue, ctx: Context): Promise<number> {
  const viewer = signedIn(ctx);
  const project = await findIssueProject(ref, ctx);
  const { title, description, isConfidential } = input;
  const issue = {
    ...(canAdminIssues(project.level) ? input : { title, description, isConfidential }),
    createdAt: canSetCreatedAt(project.level) ? input.createdAt : null,
    authorId: viewer.id,
  };
  refuseFaults(issuableFaults(issue));
  const labels = 'labels' in issue ? (issue.labels ?? []) : [];
  const todos = {
    assigneeIds: 'assigneeIds' in issue ? (issue.assigneeIds ?? []) : [],
    mentions: mentionsOf(textOf(issue)),
  };
  // without labels, to-dos and subscribed hooks, one statement is enough and needs no transaction
  const quietId =
    labels.length === 0 && !makesTodos(todos)
      ? await insertIssue(ctx.db, project, issue, [], { unlessSubscribed: true })
      : null;
  if (quietId !== null) return quietId;
  return transact(ctx.db, async (tx) => {
    const labelIds = await labelsByName(tx, project, labels, { create: true });
    const id = (await insertIssue(tx, project, issue, labelIds)) as number;
    await recordTodos(tx, { kind: 'issue', id }, { ...todos, authorId: viewer.id });
    const place = { projectId: project.id, isConfidential: isConfidential ?? false };
    await notifyIssueChange(tx, place, { id, action: 'open', actorId: viewer.id }, ctx);
    return id;
  });
}

type AuthoredIssue = NewIssue & { readonly authorId: number };

/**
 * Inserts the number, the issue, its labels and assignees, and the event by one statement. It locks
 * the project's row first and reads the clock afterwards, so that numbers and timestamps have the
 * same order. With `unlessSubscribed` it inserts nothing and gives null if a hook is subscribed.
 */
async function insertIssue(
  tx: Transaction,
  project: LabelledProject,
  issue: AuthoredIssue,
  labelIds: readonly number[],
  { unlessSubscribed = false } = {},
): Promise<number | null> {
  const isConfidential = issue.isConfidential ?? false;
  const dueDate = issue.dueDate?.toISOString().slice(0, 10) ?? null;
  const { authorId, createdAt } = issue;
  const assigneeIds = [...new Set(issue.assigneeIds ?? [])];
  const hooks = unlessSubscribed
    ? subscribedHooks(project.id, isConfidential ? 'onConfidentialIssue' : 'onIssue')
    : Prisma.raw('SELECT id FROM web_hooks WHERE false');
  const title = issue.title.trim();
  const event = insertEvent(
    'created',
    {
      projectId: Prisma.sql`project_id`,
      authorId: Prisma.sql`author_id`,
      target: Prisma.raw(`'issue'::event_target`),
      targetId: Prisma.sql`id`,
      targetIid: Prisma.sql`iid`,
      targetTitle: Prisma.sql`${title}::text`,
      isConfidential: Prisma.sql`is_confidential`,
    },
    Prisma.sql`issue`,
  );
  const [inserted] = await tx.$queryRaw<[{ id: number | null; hasSubscribers: boolean }]>`
    WITH subscribed AS (${hooks}), numbered AS (
      UPDATE projects
      SET last_issue_iid = last_issue_iid + 1,
        open_issues_count = open_issues_count + ${isConfidential ? 0 : 1}, ${lastActivity}
      WHERE id = ${project.id} AND NOT is_removed AND NOT EXISTS (SELECT FROM subscribed)
      RETURNING id, last_issue_iid AS iid, clock_timestamp() AS now
    ), issue AS (
      INSERT INTO issues (project_id, iid, author_id, milestone_id, is_confidential, due_date,
        created_at, updated_at)
      SELECT id, iid, ${authorId}, ${newMilestone(issue.milestoneId, project)}, ${isConfidential}, ${dueDate}::date,
        coalesce(${createdAt?.toISOString() ?? null}::timestamptz, now), now
      FROM numbered
      RETURNING id, project_id, iid, author_id, is_confidential
    ), described AS (
      INSERT INTO issue_texts (issue_id, title, description)
      SELECT id, ${title}, ${issue.description ?? null}::text FROM issue
    ), recorded AS (${event})${assigneeIds.length > 0 ? insertAssignees(assigneeIds) : Prisma.empty}${
      labelIds.length > 0 ? insertLabels(labelIds) : Prisma.empty
    }
    SELECT (SELECT id FROM issue), EXISTS (SELECT FROM subscribed) AS "hasSubscribers"`;
  if (inserted.id === null && !inserted.hasSubscribers) throw notFound('Project');
  return inserted.id;
}

/** Locks the rows referred to against a concurrent deletion. */
const insertAssignees = (userIds: readonly number[]): Prisma.Sql => Prisma.sql`,
  readers AS (
    ${readersAmong(userIds, Prisma.sql`(SELECT id FROM numbered)`)} FOR KEY SHARE OF users
  ), assigned AS (
    INSERT INTO issue_assignees (issue_id, user_id) SELECT issue.id, readers.id FROM issue, readers
  )`;

const insertLabels = (labelIds: readonly number[]): Prisma.Sql => Prisma.sql`,
  existing_labels AS (
    SELECT id FROM labels
    WHERE id = ANY(${list(labelIds)}) AND EXISTS (SELECT FROM numbered) FOR KEY SHARE
  ), labelled AS (
    INSERT INTO issue_labels (issue_id, label_id)
    SELECT issue.id, existing_labels.id FROM issue, existing_labels
  )`;
