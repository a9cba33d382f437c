import type { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, notFound, unauthenticated } from '../kernel/errors.ts';
import { routeKey } from '../kernel/names.ts';
import { listingCost, pageArgs, rowsOf } from '../kernel/page.ts';
import { containing } from '../kernel/search.ts';
import { canListUsers } from './policy.ts';
import { User, UserPage, UserState } from './types.ts';

builder.queryField('viewer', (t) =>
  t.prismaField({
    type: User,
    resolve: (query, _root, _args, { viewer, db }) => {
      if (!viewer) throw unauthenticated();
      return db.user.findUniqueOrThrow({ ...query, where: { id: viewer.id } });
    },
  }),
);

builder.queryField('user', (t) =>
  t.prismaField({
    type: User,
    args: { id: t.arg.int({ required: true }) },
    resolve: async (query, _root, { id }, { db }) => {
      const user = await db.user.findUnique({ ...query, where: { id } });
      if (!user) throw notFound('User');
      return user;
    },
  }),
);

const UserFilter = builder.inputType('UserFilter', {
  fields: (t) => ({
    username: t.string(),
    search: t.string(),
    state: t.field({ type: UserState }),
    isExternal: t.boolean(),
    createdAfter: t.field({ type: 'DateTime' }),
    createdBefore: t.field({ type: 'DateTime' }),
    provider: t.string(),
    externUid: t.string(),
  }),
});

builder.queryField('users', (t) =>
  t.field({
    type: UserPage,
    complexity: listingCost,
    args: { ...pageArgs, filter: t.arg({ type: UserFilter }) },
    resolve: (_root, { filter, ...page }, ctx) => {
      if (!canListUsers(ctx.viewer, filter?.username ?? null)) {
        throw forbidden('Not authorized to access /api/v4/users');
      }
      const where = usersMatching(filter ?? {}, ctx);
      return {
        nodes: (query) =>
          ctx.db.user.findMany({ ...query, ...rowsOf(page), where, orderBy: { id: 'desc' } }),
        total: () => ctx.db.user.count({ where }),
      };
    },
  }),
);

type Filter = Partial<typeof UserFilter.$inferInput>;

/** What administrators alone may filter by is left out for everyone else (v4-behaviour 3.1). */
function usersMatching(filter: Filter, { viewer }: Context): Prisma.UserWhereInput {
  const { username, search, state } = filter;
  const contains = search ? containing(search) : null;
  return {
    ...(username && { usernameKey: routeKey(username) }),
    ...(contains && {
      OR: [
        { name: contains },
        { username: contains },
        ...(viewer?.isAdmin ? [{ email: contains }] : [{ emailKey: search?.toLowerCase() ?? '' }]),
      ],
    }),
    ...(state && { state }),
    ...(viewer?.isAdmin && adminFilter(filter)),
  };
}

const adminFilter = (filter: Filter): Prisma.UserWhereInput => ({
  ...(typeof filter.isExternal === 'boolean' && { isExternal: filter.isExternal }),
  ...((filter.createdAfter || filter.createdBefore) && {
    createdAt: {
      ...(filter.createdAfter && { gt: filter.createdAfter }),
      ...(filter.createdBefore && { lt: filter.createdBefore }),
    },
  }),
  ...(filter.provider &&
    filter.externUid && {
      identities: { some: { provider: filter.provider, externUid: filter.externUid } },
    }),
});
