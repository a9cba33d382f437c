import { Prisma } from '../../prisma/client.ts';
import { canSetCreatedAt } from '../issues/policy.ts';
import type { Context, Viewer } from '../kernel/context.ts';
import { type FieldErrors, recordNotFound, refuseFaults } from '../kernel/errors.ts';
import { unfilled } from '../kernel/lengths.ts';
import { counted } from '../noteables/counting.ts';
import { type Noteable, noteableColumns } from '../noteables/find.ts';
import { isSignedOnly, revivedWith, signedColumns } from '../noteables/rows.ts';
import { notes } from './rows.ts';
import type { Note } from './types.ts';

/** Characters. */
const longestBody = 2 ** 20;

export const bodyFaults = (body: string): readonly string[] => unfilled(body, longestBody);

export interface NewNote {
  readonly body: string;
  /** When it was said elsewhere. */
  readonly createdAt?: Date | null | undefined;
}

/** Refuses what makes no note; `createdAt` is looked at for those only whose word on it counts. */
export function refuseBadNote({ body, createdAt }: NewNote, { level }: Noteable): void {
  const isFuture = canSetCreatedAt(level) && createdAt && createdAt.getTime() > Date.now();
  refuseFaults({
    note: bodyFaults(body),
    created_at: isFuture ? ["can't be in the future"] : [],
  } satisfies FieldErrors);
}

/**
 * Stores what the viewer says of a thing, and counts it there, by one statement. `query` and `asked`
 * are what a document asks of the note.
 */
export async function createNote(
  noteable: Noteable,
  { body, createdAt }: NewNote,
  viewer: Viewer,
  { db }: Pick<Context, 'db'>,
  { query, asked }: { query: object; asked: (below?: string) => ReadonlySet<string> },
): Promise<typeof Note.$inferType> {
  const instant = canSetCreatedAt(noteable.level) ? (createdAt ?? null) : null;
  // the thing first: whoever removes it is waited for, and nobody in a circle
  const [made] = await db.$queryRaw<(typeof Note.$inferType)[]>`
    WITH counted AS (${counted(noteable, { userNotesCount: 1 })} RETURNING id),
    made AS (
      INSERT INTO notes (${Prisma.raw(noteableColumns[noteable.kind])},
        author_id, body, created_at, updated_at)
      SELECT id, ${viewer.id}::int, ${body}::text,
        coalesce(${instant}::timestamptz, now()), now() FROM counted
      RETURNING *
    )
    SELECT ${signedColumns(notes, 'made', asked)} FROM made`;
  if (!made) throw recordNotFound();
  return isSignedOnly(query, notes.person)
    ? revivedWith(made, notes.person)
    : db.note.findUniqueOrThrow({ ...query, where: { id: made.id } });
}
