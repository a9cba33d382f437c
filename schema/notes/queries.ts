import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { SortDirection } from '../listing/sort.ts';
import { findNoteable, noteableColumns } from '../noteables/find.ts';
import { authoredPage } from '../noteables/rows.ts';
import { NoteableInput } from '../noteables/types.ts';
import { notes } from './rows.ts';
import { Note, NotePage } from './types.ts';

const NoteOrder = builder.enumType('NoteOrder', { values: ['createdAt', 'updatedAt'] as const });

const orders = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;

builder.queryFields((t) => ({
  notes: t.field({
    type: NotePage,
    description: 'What was said of a thing, and what the service noted of it.',
    complexity: listingCost,
    args: {
      noteable: t.arg({ type: NoteableInput, required: true }),
      ...pageArgs,
      orderBy: t.arg({ type: NoteOrder, defaultValue: 'createdAt' as const }),
      sort: t.arg({ type: SortDirection, defaultValue: 'desc' as const }),
    },
    resolve: async (_root, { noteable, orderBy, sort, ...page }, ctx) => {
      const { kind, id } = await findNoteable(noteable, ctx);
      return authoredPage<typeof Note.$inferType>(ctx, notes, {
        where: Prisma.sql`${Prisma.raw(noteableColumns[kind])} = ${id}`,
        column: orders[orderBy ?? 'createdAt'],
        direction: sort ?? 'desc',
        page,
      });
    },
  }),
  note: t.prismaField({
    type: Note,
    args: {
      noteable: t.arg({ type: NoteableInput, required: true }),
      id: t.arg.int({ required: true }),
    },
    resolve: async (query, _root, { noteable, id }, ctx) => {
      const { parent } = await findNoteable(noteable, ctx);
      const note = await ctx.db.note.findFirst({
        ...query,
        relationLoadStrategy: 'join',
        where: { id, ...parent },
      });
      if (!note) throw recordNotFound();
      return note;
    },
  }),
}));
