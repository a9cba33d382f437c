import { Prisma, type Transaction } from '../../prisma/client.ts';
import { recordNotFound } from '../kernel/errors.ts';
import type { Noteable, NoteableKind } from './find.ts';

const tables: Readonly<Record<NoteableKind, string>> = {
  Issue: 'issues',
  MergeRequest: 'merge_requests',
  Snippet: 'snippets',
};

/** Nothing shows how much was said of these. */
const uncounted: ReadonlySet<NoteableKind> = new Set(['Snippet']);

const columns = {
  userNotesCount: 'user_notes_count',
  upvotes: 'upvotes',
  downvotes: 'downvotes',
} as const;

/** By how much which of the numbers kept with a thing changes. */
export type Counting = Readonly<Partial<Record<keyof typeof columns, 1 | -1>>>;

/** Says that a thing was talked about, and counts it, as one statement without its end. */
export function counted({ kind, id }: Pick<Noteable, 'kind' | 'id'>, counting: Counting) {
  const shown = uncounted.has(kind) ? {} : counting;
  const changes = Object.entries(shown).map(([name, by]) => {
    const column = columns[name as keyof Counting];
    return `, ${column} = ${column} + ${by}`;
  });
  return Prisma.sql`UPDATE ${Prisma.raw(tables[kind])}
    SET updated_at = now()${Prisma.raw(changes.join(''))} WHERE id = ${id}`;
}

/**
 * The same within a transaction that changes what hangs on the thing: before that, for nobody to
 * wait in a circle. Refuses what somebody has removed in the meantime.
 */
export async function count(
  tx: Transaction,
  noteable: Pick<Noteable, 'kind' | 'id'>,
  counting: Counting,
): Promise<void> {
  const changed = await tx.$executeRaw(counted(noteable, counting));
  if (changed === 0) throw recordNotFound();
}
