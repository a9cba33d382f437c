import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { NoteableInput } from '../noteables/types.ts';
import { findAwardable, noAward } from './find.ts';
import { listAwardEmojis } from './listing.ts';
import { AwardEmoji, AwardEmojiPage } from './types.ts';

/** The noteable itself, or its note with this id. */
export const awardable = builder.args((t) => ({
  noteable: t.field({
    type: NoteableInput,
    required: true,
    description: 'The issue, merge request or snippet.',
  }),
  noteId: t.int({
    description: 'The id of a note on it; left out for the award emoji of the noteable itself.',
  }),
}));

builder.queryFields((t) => ({
  awardEmojis: t.field({
    type: AwardEmojiPage,
    description: 'The award emoji of an issue, merge request, snippet or note, the oldest first.',
    extensions: internal,
    complexity: listingCost,
    args: { ...awardable, ...pageArgs },
    resolve: async (_root, { noteable, noteId, ...page }, ctx) => {
      const { column, id } = await findAwardable(noteable, noteId, ctx);
      return listAwardEmojis(column, id, page, ctx);
    },
  }),
  awardEmoji: t.prismaField({
    type: AwardEmoji,
    description: 'An award emoji of an issue, merge request, snippet or note.',
    extensions: internal,
    args: { ...awardable, id: t.arg.int({ required: true }) },
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
