import { Prisma, type Transaction } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import { allOf, anyOf, list } from '../kernel/sql.ts';
import { isMemberOfProject, isOpenToUser, usersOfProject } from '../projects/readers.ts';
import { type Mentions, noMentions } from './mentions.ts';

/** What a user has to look at. */
export interface TodoTarget {
  readonly kind: 'issue' | 'mergeRequest';
  readonly id: number;
}

interface Cause {
  readonly authorId: number;
  /** The users whom the issue or merge request was assigned to. */
  readonly assigneeIds?: readonly number[];
  readonly mentions?: Mentions;
  /** The note that mentions them. */
  readonly noteId?: number;
}

const tables = {
  issue: { table: Prisma.raw('issues'), reference: Prisma.raw('issue_id') },
  mergeRequest: { table: Prisma.raw('merge_requests'), reference: Prisma.raw('merge_request_id') },
} as const;

/** Whether a change makes to-dos, if the users that it names exist and see it. */
export const makesTodos = ({ assigneeIds = [], mentions = noMentions }: Omit<Cause, 'authorId'>) =>
  assigneeIds.length + mentions.addressed.length + mentions.others.length > 0;

/** The condition on `users` to see an issue or merge request of `projects`. */
function seesTarget({ kind, id }: TodoTarget): Prisma.Sql {
  const isReporter = isMemberOfProject(Access.reporter);
  if (kind === 'mergeRequest') return anyOf([isOpenToUser, isReporter]);
  return allOf([
    anyOf([isOpenToUser, isMemberOfProject(Access.guest)]),
    anyOf([
      Prisma.sql`EXISTS (SELECT FROM issues WHERE issues.id = ${id}
        AND (NOT is_confidential OR author_id = users.id))`,
      Prisma.sql`EXISTS (
        SELECT FROM issue_assignees WHERE issue_id = ${id} AND user_id = users.id)`,
      isReporter,
    ]),
  ]);
}

/**
 * Makes to-dos for the users whom an issue or merge request is assigned to, and for those whom a text
 * mentions and who see it, in the transaction of the change; one statement. A user who has a pending
 * to-do for it gets no other.
 */
export async function recordTodos(
  tx: Transaction,
  target: TodoTarget,
  { authorId, assigneeIds = [], mentions = noMentions, noteId }: Cause,
): Promise<void> {
  if (!makesTodos({ assigneeIds, mentions })) return;
  const { table, reference } = tables[target.kind];
  const { addressed, others } = mentions;
  const isAssigned = Prisma.sql`users.id = ANY(${list(assigneeIds)})`;
  // authors need no reminder of what they wrote themselves
  const isMentioned = Prisma.sql`(
    users.username_key = ANY(${[...addressed, ...others]}::text[]) AND users.id <> ${authorId})`;
  const users = usersOfProject(
    Prisma.sql`(SELECT project_id FROM ${table} WHERE id = ${target.id})`,
    [anyOf([isAssigned, isMentioned]), Prisma.sql`users.state = 'active'`, seesTarget(target)],
  );
  await tx.$executeRaw`
    INSERT INTO todos (user_id, author_id, project_id, ${reference}, note_id, action, updated_at)
    SELECT people.id, ${authorId}, people.project_id, ${target.id}, ${noteId ?? null}::int,
      CASE WHEN people.id = ANY(${list(assigneeIds)}) THEN 'assigned'
        WHEN people.username_key = ANY(${[...addressed]}::text[]) THEN 'directly_addressed'
        ELSE 'mentioned' END::todo_action,
      now()
    FROM (${users} FOR KEY SHARE OF users) people
    ON CONFLICT DO NOTHING`;
}

/** A statement that marks the pending to-do of a user for an issue or merge request as done. */
export function completeTodo(
  { kind, id }: TodoTarget,
  userId: number,
  condition: Prisma.Sql = Prisma.sql`true`,
): Prisma.Sql {
  const { reference } = tables[kind];
  return Prisma.sql`
    UPDATE todos SET state = 'done', updated_at = now()
    WHERE user_id = ${userId} AND ${reference} = ${id} AND state = 'pending' AND ${condition}`;
}

/** Marks the to-do of a user who acted on an issue or merge request as done. */
export async function completeTodos(
  tx: Transaction,
  target: TodoTarget,
  userId: number | null,
): Promise<void> {
  if (userId !== null) await tx.$executeRaw(completeTodo(target, userId));
}

export interface MarkedTodo {
  readonly id: number;
  /** False if the user had a pending to-do for it, which is then the result. */
  readonly hasChanged: boolean;
}

/** Makes a to-do that a user asked for, unless they have a pending one; null if the target was deleted. */
export async function markTodo(
  db: Transaction,
  { kind, id }: TodoTarget,
  userId: number,
): Promise<MarkedTodo | null> {
  const { table, reference } = tables[kind];
  const [todo] = await db.$queryRaw<MarkedTodo[]>`
    INSERT INTO todos (user_id, author_id, project_id, ${reference}, action, updated_at)
    SELECT ${userId}, ${userId}, project_id, id, 'marked', now() FROM ${table}
    WHERE id = ${id} FOR KEY SHARE
    ON CONFLICT (user_id, ${reference}) WHERE state = 'pending' AND ${reference} IS NOT NULL
    DO UPDATE SET action = todos.action
    RETURNING id, xmax = 0 AS "hasChanged"`;
  return todo ?? null;
}
