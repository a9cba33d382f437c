import { builder } from '../kernel/builder.ts';
import { forbidden, notFound, unauthenticated } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { recordPage } from '../listing/record-page.ts';
import { UserFilter, usersMatching } from './filter.ts';
import { canListUsers, canSeeActivities } from './policy.ts';
import { userPage } from './rows.ts';
import { User, UserPage } from './types.ts';

builder.queryFields((t) => ({
  viewer: t.prismaField({
    type: User,
    resolve: (query, _root, _args, { viewer, db }) => {
      if (!viewer) throw unauthenticated();
      return db.user.findUniqueOrThrow({ ...query, where: { id: viewer.id } });
    },
  }),
  user: t.prismaField({
    type: User,
    args: { id: t.arg.int({ required: true }) },
    resolve: (query, _root, { id }, { db }) =>
      orThrow(db.user.findUnique({ ...query, where: { id } }), () => notFound('User')),
  }),
  users: t.field({
    type: UserPage,
    complexity: listingCost,
    args: { ...pageArgs, filter: t.arg({ type: UserFilter }) },
    resolve: (_root, { filter, ...page }, ctx) => {
      if (!canListUsers(ctx.viewer, filter?.username ?? null)) {
        throw forbidden('Not authorized to access /api/v4/users');
      }
      return userPage(ctx, {
        table: 'users',
        where: usersMatching(filter ?? {}, ctx),
        isSearch: Boolean(filter?.search),
        column: 'id',
        direction: 'desc',
        page,
      });
    },
  }),
  userActivities: t.field({
    type: UserPage,
    description: 'Who was active on a day or later, those first who were not seen for longest.',
    complexity: listingCost,
    args: {
      ...pageArgs,
      /** Defaults to six months ago. */
      from: t.arg({ type: 'Date' }),
    },
    resolve: (_root, { from, ...page }, { db, viewer }) => {
      if (!canSeeActivities(viewer)) throw forbidden();
      const where = { lastActivityOn: { gte: from ?? halfAYearAgo() } };
      return recordPage(
        db.user,
        { where, orderBy: [{ lastActivityOn: 'asc' }, { id: 'asc' }] },
        page,
      );
    },
  }),
}));

function halfAYearAgo(): Date {
  const day = new Date();
  day.setUTCMonth(day.getUTCMonth() - 6);
  return day;
}
