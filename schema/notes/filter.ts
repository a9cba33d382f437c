import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { allOf } from '../kernel/sql.ts';
import { describeModel } from '../listing/described.ts';
import { belongsTo } from '../listing/listing.ts';
import type { PageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { SortDirection } from '../listing/sort.ts';
import type { Note } from './types.ts';

describeModel('Note', { readBy: { author: 'author' } });

const NoteOrder = builder.enumType('NoteOrder', {
  description: 'What notes are ordered by.',
  values: {
    createdAt: { description: 'The time of creation.' },
    updatedAt: { description: 'The time of the last change.' },
  } as const,
});

const orders = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;

const NoteFilter = builder.inputType('NoteFilter', {
  description: 'Which notes a listing has.',
  fields: (t) => ({
    isSystem: t.boolean({
      description: 'Only system notes if true, only comments of users if false.',
    }),
  }),
});

/** The arguments of every listing of notes. */
export const noteListArgs = builder.args((t) => ({
  filter: t.field({ type: NoteFilter, description: 'Which notes the listing has.' }),
  orderBy: t.field({
    type: NoteOrder,
    defaultValue: 'createdAt' as const,
    description: 'What the notes are ordered by.',
  }),
  sort: t.field({
    type: SortDirection,
    defaultValue: 'desc' as const,
    description: 'The direction of the order.',
  }),
}));

interface NoteListArgs extends PageArgs {
  readonly filter?: Partial<typeof NoteFilter.$inferInput> | null | undefined;
  readonly orderBy?: keyof typeof orders | null | undefined;
  readonly sort?: 'asc' | 'desc' | null | undefined;
}

const matching = (isSystem: boolean | null | undefined): Prisma.Sql[] =>
  typeof isSystem === 'boolean' ? [Prisma.sql`is_system = ${isSystem}`] : [];

/** A page of the notes that have this id in `column`. */
export const listNotes = (
  column: string,
  id: number,
  { filter, orderBy, sort, ...page }: NoteListArgs,
  ctx: Context,
) =>
  pageOfRecords<typeof Note.$inferType>(ctx, {
    table: 'notes',
    where: allOf(matching(filter?.isSystem)),
    column: orders[orderBy ?? 'createdAt'],
    direction: sort ?? 'desc',
    page,
    parent: belongsTo(column, id),
  });
