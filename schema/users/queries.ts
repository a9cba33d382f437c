import type { Database } from '../../prisma/client.ts';
import { Admin } from '../administration/types.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, notFound, unauthenticated } from '../kernel/errors.ts';
import { routeKey } from '../kernel/names.ts';
import { defineNode } from '../kernel/nodes.ts';
import { internal } from '../kernel/public.ts';
import { orThrow } from '../kernel/results.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { userByEmail } from './by-email.ts';
import { UserFilter } from './filter.ts';
import { activity, listUsers, type UserListArgs } from './listing.ts';
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
  userByEmail: t.field({
    type: User,
    nullable: true,
    extensions: internal,
    args: { email: t.arg.string({ required: true }) },
    resolve: (_root, { email }, ctx) => {
      if (!ctx.viewer) throw unauthenticated();
      return userByEmail(email, ctx);
    },
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
    extensions: internal,
    complexity: listingCost,
    args: { ...pageArgs, filter: t.arg({ type: UserFilter }) },
    resolve: (_root, args, ctx) => {
      if (!canSeeActivities(ctx.viewer)) throw forbidden();
      return listActivities(args, ctx);
    },
  }),
}));

defineNode('User', (query, id, { db }) => userRecord(query, { id }, db));

builder.objectField(Admin, 'userActivities', (t) =>
  t.field({
    type: UserPage,
    description: 'The users who signed in or used git recently, the longest inactive first.',
    complexity: listingCost,
    args: {
      ...pageArgs,
      filter: t.arg({
        type: UserFilter,
        description:
          'Which users the listing has. Without `activeSince` those of the last six months.',
      }),
    },
    resolve: (_admin, args, ctx) => listActivities(args, ctx),
  }),
);

/** The users who were active in the last six months, unless the filter names a day; the longest inactive first. */
const listActivities = ({ filter, ...page }: UserListArgs, ctx: Context) => {
  const activeSince = filter?.activeSince ?? halfAYearAgo();
  return listUsers({ filter: { ...filter, activeSince }, ...page }, ctx, activity);
};

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
