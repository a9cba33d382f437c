import type { Database } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { forbidden, notFound, unauthenticated } from '../kernel/errors.ts';
import { routeKey } from '../kernel/names.ts';
import { defineNode } from '../kernel/nodes.ts';
import { internal } from '../kernel/public.ts';
import { orThrow } from '../kernel/results.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { recordPage } from '../listing/record-page.ts';
import { UserFilter } from './filter.ts';
import { listUsers } from './listing.ts';
import { canListUsers, canSeeActivities } from './policy.ts';
import { User, UserPage } from './types.ts';

const UserBy = builder.inputType('UserBy', {
  description: 'Identifies a user.',
  isOneOf: true,
  fields: (t) => ({
    id: t.int({ description: 'The id.', extensions: { identifies: 'User' } }),
    username: t.string({ description: 'The username, in upper or lower case.' }),
  }),
});

builder.queryFields((t) => ({
  viewer: t.prismaField({
    type: User,
    extensions: internal,
    resolve: (query, _root, _args, { viewer, db }) => {
      if (!viewer) throw unauthenticated();
      return db.user.findUniqueOrThrow({ ...query, where: { id: viewer.id } });
    },
  }),
  currentUser: t.prismaField({
    type: User,
    nullable: true,
    description: 'The user of the token or session; null for an anonymous user.',
    resolve: (query, _root, _args, { viewer, db }) =>
      viewer && db.user.findUnique({ ...query, where: { id: viewer.id } }),
  }),
  userById: t.prismaField({
    type: User,
    extensions: internal,
    args: { id: t.arg.int({ required: true }) },
    resolve: (query, _root, { id }, { db }) => userRecord(query, { id }, db),
  }),
  user: t.prismaField({
    type: User,
    description: 'A user, by id or username.',
    args: { by: t.arg({ type: UserBy, required: true, description: 'What identifies the user.' }) },
    resolve: (query, _root, { by: { id, username } }, { db }) =>
      userRecord(query, id ? { id } : { usernameKey: routeKey(username ?? '') }, db),
  }),
  users: t.field({
    type: UserPage,
    description:
      'The users that match the filter, the newest first. Anonymous users must filter by `username`.',
    complexity: listingCost,
    args: {
      ...pageArgs,
      filter: t.arg({ type: UserFilter, description: 'Restricts the list; null for all users.' }),
    },
    resolve: (_root, { filter, ...page }, ctx) => {
      if (!canListUsers(ctx.viewer, filter?.username ?? null)) {
        throw forbidden('Not authorized to access /api/v4/users');
      }
      return listUsers({ filter, ...page }, ctx);
    },
  }),
  userActivities: t.field({
    type: UserPage,
    description:
      'The users who signed in or used git on a day or later, the longest inactive first. Administrators only.',
    complexity: listingCost,
    args: {
      ...pageArgs,
      from: t.arg({ type: 'Date', description: 'The first day (UTC); null for six months ago.' }),
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

defineNode('User', (query, id, { db }) => userRecord(query, { id }, db));

const userRecord = (
  query: object,
  where: { readonly id: number } | { readonly usernameKey: string },
  db: Database,
) => orThrow(db.user.findUnique({ ...query, where }), () => notFound('User'));

function halfAYearAgo(): Date {
  const day = new Date();
  day.setUTCMonth(day.getUTCMonth() - 6);
  return day;
}
