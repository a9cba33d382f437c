import { Prisma } from '../../prisma/client.ts';
import type { AuthoredTable } from '../noteables/rows.ts';

/** Notes with their authors. */
export const notes: AuthoredTable = {
  table: 'notes',
  columns: Object.keys(Prisma.NoteScalarFieldEnum),
  person: 'author',
  personColumn: 'author_id',
  model: 'note',
};
