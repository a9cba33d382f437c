import type { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { recordPage } from '../listing/record-page.ts';
import { Account, User } from '../users/types.ts';
import { findHolder, findImpersonationToken } from './find.ts';
import { canManagePersonalTokens, canSeePrivateToken } from './policy.ts';
import { privateTokenOf } from './private-token.ts';
import { ImpersonationToken, ImpersonationTokenPage, PersonalAccessTokenPage } from './types.ts';

const TokenState = builder.enumType('TokenState', { values: ['active', 'inactive'] as const });

const inState = (state: 'active' | 'inactive'): Prisma.AccessTokenWhereInput => {
  const now = new Date();
  return state === 'active'
    ? { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] }
    : { OR: [{ revokedAt: { not: null } }, { expiresAt: { lte: now } }] };
};

builder.queryFields((t) => ({
  impersonationTokens: t.field({
    type: ImpersonationTokenPage,
    inPerson: true,
    complexity: listingCost,
    args: {
      ...pageArgs,
      userId: t.arg.int({ required: true }),
      /** Defaults to all. */
      state: t.arg({ type: TokenState }),
    },
    resolve: async (_root, { userId, state, ...page }, ctx) => {
      await findHolder(userId, ctx);
      const where: Prisma.AccessTokenWhereInput = {
        userId,
        kind: 'impersonation',
        ...(state && inState(state)),
      };
      return recordPage(ctx.db.accessToken, { where, orderBy: { id: 'asc' } }, page);
    },
  }),
  impersonationToken: t.prismaField({
    type: ImpersonationToken,
    inPerson: true,
    args: { userId: t.arg.int({ required: true }), id: t.arg.int({ required: true }) },
    resolve: async (query, _root, { userId, id }, ctx) => {
      await findImpersonationToken({ userId, id }, ctx);
      return ctx.db.accessToken.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
}));

builder.prismaObjectField(User, 'personalAccessTokens', (t) =>
  t.field({
    type: PersonalAccessTokenPage,
    inPerson: true,
    description: 'The tokens this person made; null to everyone else.',
    nullable: true,
    complexity: listingCost,
    args: {
      ...pageArgs,
      /** Defaults to all. */
      state: t.arg({ type: TokenState }),
    },
    resolve: (user, { state, ...page }, { db, viewer }) => {
      if (!canManagePersonalTokens(viewer, user.id)) return null;
      const where: Prisma.AccessTokenWhereInput = {
        userId: user.id,
        kind: 'personal',
        ...(state && inState(state)),
      };
      return recordPage(db.accessToken, { where, orderBy: { id: 'asc' } }, page);
    },
  }),
);

builder.prismaObjectField(Account, 'privateToken', (t) =>
  t.string({
    description:
      'For an administrator who asks in this person’s place, by sudo; null to all others.',
    nullable: true,
    resolve: (user, _args, ctx) =>
      canSeePrivateToken(ctx.viewer, user.id, ctx.request) ? privateTokenOf(user.id, ctx) : null,
  }),
);
