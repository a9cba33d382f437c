import { batched } from '../kernel/batched.ts';
import type { Note } from '../notes/types.ts';

interface NoteKey {
  readonly id: number;
  /** The fields that the document selects, as Prisma's `include`. */
  readonly query: object;
}

type NoteRecord = typeof Note.$inferType;

/** The notes of a page's events: one statement for all with the same selection. */
export const noteOf = batched<NoteKey, NoteRecord | null>(async (keys, { db }) => {
  const notesByKey = new Map<NoteKey, NoteRecord | null>();
  for (const keysOfQuery of Map.groupBy(keys, ({ query }) => JSON.stringify(query)).values()) {
    const [first] = keysOfQuery;
    const notes = await db.note.findMany({
      ...first?.query,
      relationLoadStrategy: 'join',
      where: { id: { in: keysOfQuery.map(({ id }) => id) } },
    });
    const byId = new Map(notes.map((note) => [note.id, note]));
    for (const key of keysOfQuery) notesByKey.set(key, byId.get(key.id) ?? null);
  }
  return notesByKey;
}, null);

/** The number, within the project, of a note's noteable; a snippet has none. */
export const noteableIidOf = batched<number, number | null>(async (ids, { db }) => {
  const notes = await db.note.findMany({
    relationLoadStrategy: 'join',
    where: { id: { in: [...ids] } },
    select: {
      id: true,
      issue: { select: { iid: true } },
      mergeRequest: { select: { iid: true } },
    },
  });
  return new Map(
    notes.map(({ id, issue, mergeRequest }) => [id, issue?.iid ?? mergeRequest?.iid ?? null]),
  );
}, null);
