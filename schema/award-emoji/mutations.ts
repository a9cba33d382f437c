import { builder } from '../kernel/builder.ts';
import { unauthenticated } from '../kernel/errors.ts';
import { done } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { storedRecord } from '../listing/records.ts';
import { canonicalEmoji } from '../markdown/emoji-names.ts';
import { findAwardable, noAward } from './find.ts';
import { awardRefusal, giveAward, removeAward } from './give.ts';
import { byAwardable, byAwardEmoji } from './node.ts';
import { canRemoveAward } from './policy.ts';
import { awardable } from './queries.ts';
import { AwardEmoji } from './types.ts';

builder.mutationFields((t) => ({
  createAwardEmoji: t.prismaField({
    extensions: byAwardable,
    type: AwardEmoji,
    description:
      'Creates an award emoji of the current user to an issue, merge request, snippet or note. Users who see it may; only members if its discussion is locked. Users cannot vote (`thumbsup`, `thumbsdown`) on what they wrote.',
    args: {
      ...awardable,
      name: t.arg.string({
        required: true,
        description:
          'The name of the emoji, with or without colons, such as `thumbsup`, or the emoji itself.',
      }),
    },
    resolve: async (query, _root, { noteable, noteId, name: text }, ctx) => {
      const target = await findAwardable(noteable, noteId, ctx);
      const name = canonicalEmoji(text);
      const award = name ? await giveAward(target, name, signedIn(ctx), ctx) : 'unknown';
      if (typeof award === 'string') throw awardRefusal(award);
      return storedRecord(ctx, 'awardEmoji', award, query);
    },
  }),
  deleteAwardEmoji: t.id({
    extensions: { ...byAwardEmoji, identifies: 'AwardEmoji' },
    description: 'Deletes an award emoji. Only its user and administrators may do it.',
    args: {
      ...awardable,
      id: t.arg.int({ required: true, description: 'The id of the award emoji.' }),
    },
    resolve: async (_root, { noteable, noteId, id }, ctx) => {
      const target = await findAwardable(noteable, noteId, ctx);
      const award = await ctx.db.awardEmoji.findFirst({ where: { id, ...target.parent } });
      if (!award) throw noAward();
      // v4 answers with 401 here
      if (!canRemoveAward(signedIn(ctx), award)) throw unauthenticated();
      return done(removeAward(target, award, ctx), id);
    },
  }),
}));
