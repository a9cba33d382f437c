import type { PrismaModelTypes, PrismaObjectRef } from '@pothos/plugin-prisma';
import { Issuable } from '../issuables/interface.ts';
import { Issue } from '../issues/types.ts';
import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { MergeRequest } from '../merge-requests/types.ts';
import { noteableColumns } from '../noteables/find.ts';
import { Snippet } from '../snippets/types.ts';
import { User } from '../users/types.ts';
import { awardCounts } from './counts.ts';
import { listAwardEmojis } from './listing.ts';
import { canAward } from './policy.ts';
import { AwardEmojiPage } from './types.ts';

/** One of the emoji that count as votes. */
const vote = 'thumbsup';

type Types = typeof builder.$inferSchemaTypes;

const awardEmojis = {
  type: AwardEmojiPage,
  nullable: true,
  description: 'The award emoji of users, the oldest first. Null for an anonymous user.',
  complexity: listingCost,
  args: pageArgs,
} as const;

/** The target of an award emoji. Each type resolves the fields itself. */
export const Awardable = builder.interfaceRef<object>('Awardable').implement({
  description:
    'What users may react to with award emoji: an issue, merge request, snippet or note.',
  fields: (t) => ({
    id: t.int({ description: 'The id.' }),
    author: t.field({
      type: User,
      nullable: true,
      description: 'The user who created it; null if the account was deleted.',
    }),
    awardEmojis: t.field(awardEmojis),
  }),
});

builder.interfaceField(Issuable, 'awardEmojis', (t) => t.field(awardEmojis));

/** Makes a type an `Awardable`; `column` of the award emoji refers to it. */
export function addAwardEmojis<Model extends PrismaModelTypes, Row extends object>(
  type: PrismaObjectRef<Types, Model, Row>,
  column: string,
): void {
  // the plugin infers a model's types only from a concrete model
  const awardable = type as unknown as typeof Issue;
  awardable.addInterfaces([Awardable]);
  builder.prismaObjectField(awardable, 'awardEmojis', (t) =>
    t.field({
      ...awardEmojis,
      select: { id: true },
      resolve: ({ id }, page, ctx) => ctx.viewer && listAwardEmojis(column, id, page, ctx),
    }),
  );
  const countsOf = awardCounts.by(column);
  builder.prismaObjectField(awardable, 'awardCounts', (t) =>
    t.field({
      ...awardCounts.field,
      select: { id: true },
      resolve: ({ id }, _args, ctx) => countsOf(id, ctx),
    }),
  );
  builder.prismaObjectField(awardable, 'canVote', (t) =>
    t.boolean({
      extensions: internal,
      description: 'Whether the current user may give votes: not on what they wrote.',
      select: { authorId: true },
      resolve: (target, _args, { viewer }) => viewer !== null && canAward(viewer, vote, target),
    }),
  );
}

addAwardEmojis(Issue, noteableColumns.Issue);
addAwardEmojis(MergeRequest, noteableColumns.MergeRequest);
addAwardEmojis(Snippet, noteableColumns.Snippet);
