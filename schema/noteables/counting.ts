import { Prisma, type Transaction } from '../../prisma/client.ts';
import { recordNotFound } from '../kernel/errors.ts';
import type { Noteable, NoteableKind } from './find.ts';

const tables: Readonly<Record<NoteableKind, string>> = {
  Issue: 'issues',
  MergeRequest: 'merge_requests',
  Snippet: 'snippets',
};

/** Kinds without counters. */
const uncounted: ReadonlySet<NoteableKind> = new Set(['Snippet']);

const columns = {
  userNotesCount: 'user_notes_count',
  upvotes: 'upvotes',
  downvotes: 'downvotes',
} as const;

/** The changes of a noteable's counters. */
export type Counting = Readonly<Partial<Record<keyof typeof columns, 1 | -1>>>;

/** Updates a noteable's `updated_at` and counters: a statement without RETURNING. */
export function countingStatement(
  { kind, id }: Pick<Noteable, 'kind' | 'id'>,
  changesByCounter: Counting,
) {
  const shown = uncounted.has(kind) ? {} : changesByCounter;
  const changes = Object.entries(shown).map(([name, by]) => {
    const column = columns[name as keyof Counting];
    return `, ${column} = ${column} + ${by}`;
  });
  return Prisma.sql`UPDATE ${Prisma.raw(tables[kind])}
    SET updated_at = now()${Prisma.raw(changes.join(''))} WHERE id = ${id}`;
}

/**
 * Runs `countingStatement` in a transaction. Call it before changing rows that refer to the noteable, to
 * avoid deadlocks. Throws if the noteable was deleted concurrently.
 */
export async function updateCounters(
  tx: Transaction,
  noteable: Pick<Noteable, 'kind' | 'id'>,
  counting: Counting,
): Promise<void> {
  const changed = await tx.$executeRaw(countingStatement(noteable, counting));
  if (changed === 0) throw recordNotFound();
}
