import type { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { recordPage } from '../listing/record-page.ts';
import { Account, User } from '../users/types.ts';
import { findHolder, findImpersonationToken } from './find.ts';
import { canManagePersonalTokens, canSeePrivateToken } from './policy.ts';
import { privateTokenOf } from './private-token.ts';
import { ImpersonationToken, ImpersonationTokenPage, PersonalAccessTokenPage } from './types.ts';

const TokenState = builder.enumType('TokenState', {
  description: 'Whether a token is valid.',
  values: {
    active: { description: 'Valid now.' },
    inactive: { description: 'Revoked or expired.' },
  } as const,
});

const stateArg = builder.args((t) => ({
  state: t.field({ type: TokenState, description: 'Only tokens in this state; null for all.' }),
}));

const userArg = builder.args((t) => ({
  userId: t.int({ required: true, description: 'The id of the user.' }),
}));

const inState = (state: 'active' | 'inactive'): Prisma.AccessTokenWhereInput => {
  const now = new Date();
  return state === 'active'
    ? { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] }
    : { OR: [{ revokedAt: { not: null } }, { expiresAt: { lte: now } }] };
};

builder.queryFields((t) => ({
  impersonationTokens: t.field({
    type: ImpersonationTokenPage,
    description: 'The impersonation tokens of a user, the oldest first. Administrators only.',
    inPerson: true,
    complexity: listingCost,
    args: { ...pageArgs, ...userArg, ...stateArg },
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
    description: 'An impersonation token of a user. Administrators only.',
    inPerson: true,
    args: {
      ...userArg,
      id: t.arg.int({ required: true, description: 'The id of the token.' }),
    },
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
    description:
      'The personal access tokens of the user, the oldest first. Null except for the user.',
    nullable: true,
    complexity: listingCost,
    args: { ...pageArgs, ...stateArg },
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
      'The private token of the user, for an administrator who acts as the user with `sudo`. Null otherwise.',
    nullable: true,
    resolve: (user, _args, ctx) =>
      canSeePrivateToken(ctx.viewer, user.id, ctx.request) ? privateTokenOf(user.id, ctx) : null,
  }),
);
