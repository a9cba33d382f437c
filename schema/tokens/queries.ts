import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { internal } from '../kernel/public.ts';
import { allOf } from '../kernel/sql.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, type PageArgs, pageArgs } from '../listing/page.ts';
import { pageOfRecords, storedRecord } from '../listing/records.ts';
import { Account, User } from '../users/types.ts';
import { findHolder, findImpersonationToken } from './find.ts';
import {
  canManageImpersonationTokens,
  canManagePersonalTokens,
  canSeePrivateToken,
} from './policy.ts';
import { privateTokenOf } from './private-token.ts';
import { ImpersonationToken, ImpersonationTokenPage, PersonalAccessTokenPage } from './types.ts';

const TokenState = builder.enumType('TokenState', {
  description: 'Whether a token is valid.',
  values: {
    active: { description: 'Valid now.' },
    inactive: { description: 'Revoked or expired.' },
  } as const,
});

const filterArg = (name: 'PersonalAccessToken' | 'ImpersonationToken') => {
  const type = builder.inputType(`${name}Filter`, {
    description: 'Which tokens a listing has.',
    fields: (t) => ({
      state: t.field({ type: TokenState, description: 'Only tokens in this state; null for all.' }),
    }),
  });
  return builder.args((t) => ({
    filter: t.field({ type, description: 'Which tokens the listing has; null for all.' }),
  }));
};

const personalListArgs = { ...pageArgs, ...filterArg('PersonalAccessToken') };
const impersonationListArgs = { ...pageArgs, ...filterArg('ImpersonationToken') };

const userArg = builder.args((t) => ({
  userId: t.int({ required: true, description: 'The id of the user.' }),
}));

const inState = {
  active: Prisma.sql`revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
  inactive: Prisma.sql`(revoked_at IS NOT NULL OR expires_at <= now())`,
} as const;

interface TokenListArgs extends PageArgs {
  readonly filter?: { readonly state?: keyof typeof inState | null | undefined } | null | undefined;
}

/** A page of the tokens of one kind of a user, the oldest first. */
const listTokens = (
  kind: 'personal' | 'impersonation',
  userId: number,
  { filter, ...page }: TokenListArgs,
  ctx: Pick<Context, 'db' | 'viewer'>,
) =>
  pageOfRecords<typeof ImpersonationToken.$inferType>(ctx, {
    table: 'access_tokens',
    where: allOf([
      Prisma.sql`kind = ${kind}::token_kind`,
      ...(filter?.state ? [inState[filter.state]] : []),
    ]),
    column: 'id',
    direction: 'asc',
    page,
    parent: belongsTo('user_id', userId),
  });

builder.queryFields((t) => ({
  impersonationTokens: t.field({
    type: ImpersonationTokenPage,
    extensions: internal,
    inPerson: true,
    complexity: listingCost,
    args: { ...impersonationListArgs, ...userArg },
    resolve: async (_root, { userId, ...args }, ctx) => {
      await findHolder(userId, ctx);
      return listTokens('impersonation', userId, args, ctx);
    },
  }),
  impersonationToken: t.prismaField({
    type: ImpersonationToken,
    extensions: internal,
    inPerson: true,
    args: {
      ...userArg,
      id: t.arg.int({ required: true, description: 'The id of the token.' }),
    },
    resolve: async (query, _root, { userId, id }, ctx) => {
      await findImpersonationToken({ userId, id }, ctx);
      return storedRecord(ctx, 'accessToken', id, query);
    },
  }),
}));

builder.prismaObjectField(User, 'personalAccessTokens', (t) =>
  t.field({
    type: PersonalAccessTokenPage,
    inPerson: true,
    description:
      'The personal access tokens of the user, the oldest first. Null except for the user.',
    nullable: true,
    complexity: listingCost,
    args: personalListArgs,
    select: { id: true },
    resolve: ({ id }, args, ctx) =>
      canManagePersonalTokens(ctx.viewer, id) ? listTokens('personal', id, args, ctx) : null,
  }),
);

builder.prismaObjectField(User, 'impersonationTokens', (t) =>
  t.field({
    type: ImpersonationTokenPage,
    inPerson: true,
    description:
      'The tokens with which administrators act as the user, the oldest first. Null except for administrators.',
    nullable: true,
    complexity: listingCost,
    args: impersonationListArgs,
    select: { id: true },
    resolve: ({ id }, args, ctx) =>
      canManageImpersonationTokens(ctx.viewer) ? listTokens('impersonation', id, args, ctx) : null,
  }),
);

builder.prismaObjectField(Account, 'privateToken', (t) =>
  t.string({
    extensions: internal,
    nullable: true,
    resolve: (user, _args, ctx) =>
      canSeePrivateToken(ctx.viewer, user.id, ctx.request) ? privateTokenOf(user.id, ctx) : null,
  }),
);
