import { Prisma } from '../../prisma/client.ts';
import type { AuthoredTable } from '../noteables/rows.ts';
import type { Note } from './types.ts';

/** Notes with their authors. */
export const notes: AuthoredTable<typeof Note.$inferType> = {
  table: 'notes',
  columns: Object.keys(Prisma.NoteScalarFieldEnum),
  person: 'author',
  personColumn: 'author_id',
  load: (db, query, where) => db.note.findMany({ ...query, relationLoadStrategy: 'join', where }),
};
