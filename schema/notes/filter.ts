import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { allOf } from '../kernel/sql.ts';
import { belongsTo } from '../listing/listing.ts';
import type { PageArgs } from '../listing/page.ts';
import { SortDirection } from '../listing/sort.ts';
import { authoredPage } from '../noteables/rows.ts';
import { notes } from './rows.ts';
import type { Note } from './types.ts';

const NoteOrder = builder.enumType('NoteOrder', {
  description: 'What notes are sorted by.',
  values: {
    createdAt: { description: 'The time of creation.' },
    updatedAt: { description: 'The time of the last change.' },
  } as const,
});

const orders = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;

/** The arguments of every listing of notes. */
export const noteListArgs = builder.args((t) => ({
  orderBy: t.field({
    type: NoteOrder,
    defaultValue: 'createdAt' as const,
    description: 'What the notes are sorted by.',
  }),
  sort: t.field({
    type: SortDirection,
    defaultValue: 'desc' as const,
    description: 'The direction of the order.',
  }),
}));

interface NoteListArgs extends PageArgs {
  readonly orderBy?: keyof typeof orders | null | undefined;
  readonly sort?: 'asc' | 'desc' | null | undefined;
}

/** A page of the notes that have this id in `column`. */
export const listNotes = (
  column: string,
  id: number,
  { orderBy, sort, ...page }: NoteListArgs,
  ctx: Context,
) =>
  authoredPage<typeof Note.$inferType>(ctx, notes, {
    where: allOf([]),
    column: orders[orderBy ?? 'createdAt'],
    direction: sort ?? 'desc',
    page,
    parent: belongsTo(column, id),
  });
