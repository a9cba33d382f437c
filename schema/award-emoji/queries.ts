import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { type AuthoredTable, authoredPage } from '../noteables/rows.ts';
import { NoteableInput } from '../noteables/types.ts';
import { findAwardable, noAward } from './find.ts';
import { AwardEmoji, AwardEmojiPage } from './types.ts';

/** The noteable itself, or its note with this id. */
export const awardable = builder.args((t) => ({
  noteable: t.field({
    type: NoteableInput,
    required: true,
    description: 'The issue, merge request or snippet.',
  }),
  noteId: t.int({ description: 'The id of a note of the noteable; null for the noteable itself.' }),
}));

const awards: AuthoredTable = {
  table: 'award_emojis',
  columns: Object.keys(Prisma.AwardEmojiScalarFieldEnum),
  person: 'user',
  personColumn: 'user_id',
  model: 'awardEmoji',
};

builder.queryFields((t) => ({
  awardEmojis: t.field({
    type: AwardEmojiPage,
    complexity: listingCost,
    args: { ...awardable, ...pageArgs },
    resolve: async (_root, { noteable, noteId, ...page }, ctx) => {
      const { column, id } = await findAwardable(noteable, noteId, ctx);
      return authoredPage<typeof AwardEmoji.$inferType>(ctx, awards, {
        where: Prisma.sql`${Prisma.raw(column)} = ${id}`,
        column: 'id',
        direction: 'asc',
        page,
      });
    },
  }),
  awardEmoji: t.prismaField({
    type: AwardEmoji,
    args: {
      ...awardable,
      id: t.arg.int({ required: true, description: 'The id of the award emoji.' }),
    },
    resolve: async (query, _root, { noteable, noteId, id }, ctx) => {
      const { parent } = await findAwardable(noteable, noteId, ctx);
      const award = await ctx.db.awardEmoji.findFirst({
        ...query,
        relationLoadStrategy: 'join',
        where: { id, ...parent },
      });
      if (!award) throw noAward();
      return award;
    },
  }),
}));
