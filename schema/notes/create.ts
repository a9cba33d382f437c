import type { GraphQLResolveInfo } from 'graphql';
import { Prisma, type Transaction } from '../../prisma/client.ts';
import { insertEvent, touchLastActivity } from '../activity/record.ts';
import { canSetCreatedAt } from '../issues/policy.ts';
import type { Context } from '../kernel/context.ts';
import { type FieldErrors, recordNotFound, refuseFaults } from '../kernel/errors.ts';
import { blankOrTooLong } from '../kernel/lengths.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { idColumn } from '../listing/reader.ts';
import { jsonRecords } from '../listing/record-shape.ts';
import { storedRecord } from '../listing/records.ts';
import { countingStatement } from '../noteables/counting.ts';
import { eventTargetOf } from '../noteables/event-target.ts';
import { type Noteable, noteableColumns } from '../noteables/find.ts';
import { mentionsOf, noMentions } from '../todos/mentions.ts';
import { completeTodo, makesTodos } from '../todos/record.ts';
import { notifyNote } from './notify.ts';
import { recordMentions, todoTargetOf } from './todo-target.ts';
import type { Note } from './types.ts';

/** In characters. */
const longestBody = 2 ** 20;

export const bodyFaults = (body: string): readonly string[] => blankOrTooLong(body, longestBody);

export interface NewNote {
  readonly body: string;
  /** For imports. */
  readonly createdAt?: Date | null | undefined;
}

/** Throws if the note is invalid; checks `createdAt` only if the viewer may set it. */
export function refuseInvalidNote({ body, createdAt }: NewNote, { level }: Noteable): void {
  const isFuture = canSetCreatedAt(level) && createdAt && createdAt.getTime() > Date.now();
  refuseFaults({
    body: bodyFaults(body),
    createdAt: isFuture ? ["can't be in the future"] : [],
  } satisfies FieldErrors);
}

/**
 * Creates a note in the viewer's name, increments the noteable's counter and records the event, by
 * one statement unless a hook is subscribed or it mentions users. `query` is Prisma's selection for the fields
 * that `info` selects.
 */
export async function createNote(
  noteable: Noteable,
  { body, createdAt }: NewNote,
  viewer: Viewer,
  ctx: Context,
  { query, info }: { readonly query: object; readonly info: GraphQLResolveInfo },
): Promise<NoteRecord> {
  const instant = canSetCreatedAt(noteable.level) ? (createdAt ?? null) : null;
  const note = { body, createdAt: instant, authorId: viewer.id, thread: null };
  const records = jsonRecords('Note', 'inserted', { ...query }, viewer, { info, typeName: 'Note' });
  const columns = records?.columns ?? idColumn;
  const mentions = todoTargetOf(noteable) ? mentionsOf(body) : noMentions;
  const quiet = makesTodos({ mentions })
    ? null
    : await insertNote(ctx.db, noteable, note, columns, subscribedHooksSql);
  const created =
    quiet ??
    (await transact(ctx.db, async (tx) => {
      const stored = await insertNote(tx, noteable, note, columns, noHooks);
      if (!stored) throw recordNotFound();
      await recordMentions(tx, noteable, { id: stored.id, authorId: viewer.id }, mentions);
      await notifyNote(tx, stored.id, ctx);
      return stored;
    }));
  return records ? records.revived(created) : storedRecord(ctx, 'note', created.id, query);
}

/**
 * Creates a note of a thread as `createNote` does. `attach` stores what the thread needs to know of it,
 * in the same transaction, under the lock of the noteable. Gives the id.
 */
export const createThreadNote = (
  noteable: Noteable,
  { body, createdAt, isReply }: NewNote & { readonly isReply: boolean },
  viewer: Viewer,
  ctx: Context,
  attach: (tx: Transaction, id: number) => Promise<void>,
): Promise<number> =>
  transact(ctx.db, async (tx) => {
    const instant = canSetCreatedAt(noteable.level) ? (createdAt ?? null) : null;
    const note = { body, createdAt: instant, authorId: viewer.id, thread: { isReply } };
    const stored = await insertNote(tx, noteable, note, idColumn, noHooks);
    if (!stored) throw recordNotFound();
    await attach(tx, stored.id);
    await recordMentions(tx, noteable, { id: stored.id, authorId: viewer.id }, mentionsOf(body));
    await notifyNote(tx, stored.id, ctx);
    return stored.id;
  });

type NoteRecord = typeof Note.$inferType;

/** The hooks that `notifyNote` would notify: of the project or the system, by the kind of issue. */
const subscribedHooksSql = Prisma.raw(`
  SELECT web_hooks.id FROM web_hooks, about
  WHERE (web_hooks.project_id = about.project_id OR web_hooks.project_id IS NULL)
    AND on_note AND (on_confidential_issue OR NOT is_confidential)`);

const noHooks = Prisma.raw('SELECT id FROM web_hooks WHERE false');

const event = insertEvent(
  'commented',
  {
    projectId: Prisma.raw('about.project_id'),
    authorId: Prisma.raw('inserted.author_id'),
    target: Prisma.raw(`'note'::event_target`),
    targetId: Prisma.raw('inserted.id'),
    targetIid: Prisma.raw('inserted.id'),
    targetTitle: Prisma.raw('about.title'),
    noteId: Prisma.raw('inserted.id'),
    isConfidential: Prisma.raw('about.is_confidential'),
  },
  Prisma.raw('inserted, about WHERE about.project_id IS NOT NULL'),
);

interface AuthoredNote {
  readonly body: string;
  readonly createdAt: Date | null;
  readonly authorId: number;
  /** The part in a thread; null for a note that is no part of one. */
  readonly thread: { readonly isReply: boolean } | null;
}

/**
 * Null if the noteable was deleted, or if one of `hooks` is subscribed and must be notified too.
 */
async function insertNote(
  tx: Transaction,
  noteable: Noteable,
  { body, createdAt, authorId, thread }: AuthoredNote,
  columns: Prisma.Sql,
  hooks: Prisma.Sql,
): Promise<NoteRecord | null> {
  const target = todoTargetOf(noteable);
  // lock the noteable first, to wait for a concurrent deletion without a deadlock
  const [inserted] = await tx.$queryRaw<NoteRecord[]>`
    WITH about AS (${eventTargetOf(noteable)}), subscribed AS (${hooks}),
    counted AS (
      ${countingStatement(noteable, { userNotesCount: 1 })} AND NOT EXISTS (SELECT FROM subscribed) RETURNING id
    ),
    inserted AS (
      INSERT INTO notes (${Prisma.raw(noteableColumns[noteable.kind])},
        author_id, body, is_in_thread, is_reply, created_at, updated_at)
      SELECT id, ${authorId}::int, ${body}::text,
        ${thread !== null}::boolean, ${thread?.isReply ?? false}::boolean,
        coalesce(${createdAt}::timestamptz, now()), now() FROM counted
      RETURNING *
    ),
    recorded AS (${event}),
    active AS (${touchLastActivity(Prisma.sql`(SELECT project_id FROM about, counted)`)})${
      target
        ? Prisma.sql`, completed AS (
            ${completeTodo(target, authorId, Prisma.raw('EXISTS (SELECT FROM counted)'))})`
        : Prisma.empty
    }
    SELECT ${columns} FROM inserted`;
  return inserted ?? null;
}
