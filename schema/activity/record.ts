import { Prisma, type Transaction } from '../../prisma/client.ts';

/** An action of a user, in a project or without one. */
export type EventInput = Omit<Prisma.EventUncheckedCreateInput, 'id' | 'createdAt'>;

const columns = {
  projectId: 'project_id',
  authorId: 'author_id',
  target: 'target',
  targetId: 'target_id',
  targetIid: 'target_iid',
  targetTitle: 'target_title',
  noteId: 'note_id',
  isConfidential: 'is_confidential',
} as const;

type EventValues = { readonly [Name in keyof typeof columns]?: Prisma.Sql };

/**
 * Inserts the event as a step of the statement that performs the action: `WITH …, recorded AS (…)`.
 * The values are columns of `from`; without a row in `from` no event is inserted.
 */
export function insertEvent(
  action: Prisma.EventUncheckedCreateInput['action'],
  eventValues: EventValues,
  from: Prisma.Sql,
): Prisma.Sql {
  const names = Object.keys(eventValues) as (keyof EventValues)[];
  const values = names.map((name) => eventValues[name] as Prisma.Sql);
  return Prisma.sql`
    INSERT INTO events (action, ${Prisma.raw(names.map((name) => columns[name]).join(', '))})
    SELECT ${Prisma.raw(`'${action}'::event_action`)}, ${Prisma.join(values)} FROM ${from}`;
}

/**
 * A project's last activity is accurate to the hour: updating its row more often would make all its
 * writers wait for each other.
 */
export const lastActivity: Prisma.Sql = Prisma.raw(`
  last_activity_at = CASE WHEN last_activity_at < now() - interval '1 hour' THEN now()
    ELSE last_activity_at END`);

/** The same as a complete statement without RETURNING; updates no row if the hour is unchanged. */
export const touchLastActivity = (projectId: Prisma.Sql): Prisma.Sql => Prisma.sql`
  UPDATE projects SET last_activity_at = now()
  WHERE id = ${projectId} AND last_activity_at < now() - interval '1 hour'`;

/**
 * Records an action in the transaction that performs it, for the events of its project and its
 * author (v4-behaviour 3.9), and updates the project's last activity.
 */
export async function recordEvent(tx: Transaction, event: EventInput): Promise<void> {
  const { projectId = null, action, authorId, target, targetId, targetIid } = event;
  const { targetTitle, noteId, isConfidential = false, push } = event;
  const pushJson = push ? JSON.stringify(push) : null;
  await tx.$executeRaw`
    WITH active AS (${touchLastActivity(Prisma.sql`${projectId}::int`)})
    INSERT INTO events (project_id, author_id, action, target, target_id, target_iid, target_title,
      note_id, is_confidential, push)
    VALUES (${projectId}::int, ${authorId}::int, ${action}::event_action,
      ${target ?? null}::event_target, ${targetId ?? null}::int, ${targetIid ?? null}::int,
      ${targetTitle ?? null}::text, ${noteId ?? null}::int, ${isConfidential}, ${pushJson}::jsonb)`;
}

/**
 * Deletes the events of an issue or merge request in the transaction that deletes it. The events of
 * its notes are deleted with the notes.
 */
export async function deleteEvents(
  tx: Transaction,
  projectId: number,
  target: 'issue' | 'merge_request',
  id: number,
): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM events
    WHERE project_id = ${projectId} AND target = ${target}::event_target AND target_id = ${id}`;
}
