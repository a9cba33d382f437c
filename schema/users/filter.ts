import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, unauthenticated } from '../kernel/errors.ts';
import { routeKey } from '../kernel/names.ts';
import { allOf, anyOf, containsText, instant, whether } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { emailKey } from './addresses.ts';
import {
  CustomAttributeFilter,
  customAttributesDescription,
  withCustomAttributes,
} from './attribute-filter.ts';
import { type DirectoryIdentity, identityOf } from './faults.ts';
import { canSearchAccounts } from './policy.ts';

export const UserFilter = builder.inputType('UserFilter', {
  description: 'Restricts a list of users: all conditions must hold.',
  fields: (t) => ({
    username: t.string({ description: 'The full username, in upper or lower case.' }),
    search: t.string({
      description:
        'A text in the name or username, or a full e-mail address, in upper or lower case. Administrators may search for a part of the primary address, anonymous users for no address.',
    }),
    isActive: t.boolean({ description: 'True: only active users. False: only the others.' }),
    isBlocked: t.boolean({
      description:
        'True: only blocked users, including those that the directory blocks. False: only the others.',
    }),
    isExternal: t.boolean({
      description:
        'True: only external users. False: only the others. Only administrators may use it.',
    }),
    provider: t.string({
      description:
        'The name of an external directory; requires `externUid`. Only administrators may use it.',
    }),
    externUid: t.string({
      description: 'The identity in the directory `provider`. Only administrators may use it.',
    }),
    createdAfter: t.field({
      type: 'DateTime',
      description:
        'Only users created at this time or later. Ignored unless the current user is an administrator.',
    }),
    createdBefore: t.field({
      type: 'DateTime',
      description:
        'Only users created at this time or earlier. Ignored unless the current user is an administrator.',
    }),
    activeSince: t.field({
      type: 'Date',
      description:
        'Only users who signed in or used git on this day (UTC) or later. Ignored unless the current user is an administrator.',
    }),
    customAttributes: t.field({
      type: [CustomAttributeFilter],
      description: customAttributesDescription,
    }),
  }),
});

type Filter = Partial<typeof UserFilter.$inferInput>;

/**
 * The users that match the filter (v4-behaviour 3.1), as SQL on their table. Throws if a viewer
 * without permission filters by account fields; times and custom attributes are ignored instead.
 */
export function usersMatching(filter: Filter, { viewer }: Pick<Context, 'viewer'>): Prisma.Sql {
  const { username, search, isActive, isBlocked, isExternal } = filter;
  const identity = identityOf(filter);
  const mayLookInside = canSearchAccounts(viewer);
  const looksInside = typeof isExternal === 'boolean' || identity !== null;
  if (looksInside && !mayLookInside) throw viewer ? forbidden() : unauthenticated();
  return allOf([
    allUsers,
    ...(username ? [Prisma.sql`username_key = ${routeKey(username)}`] : []),
    ...(search ? [searchCondition(search, viewer)] : []),
    ...whether(isActive, active),
    ...whether(isBlocked, blocked),
    ...whether(isExternal, external),
    ...(identity ? [identityCondition(identity)] : []),
    ...(mayLookInside
      ? [
          ...createdBetween(filter),
          ...withActivity(filter),
          ...withCustomAttributes('users', filter.customAttributes),
        ]
      : []),
  ]);
}

const allUsers = Prisma.sql`true`;
// a literal, because casting a parameter for each row would cost more than the rest
const active = Prisma.sql`state = 'active'`;
const blocked = Prisma.sql`state IN ('blocked', 'ldap_blocked')`;
const external = Prisma.sql`is_external`;

const searchCondition = (search: string, viewer: Viewer | null): Prisma.Sql =>
  canSearchAccounts(viewer)
    ? containsText(search, ['name', 'username', 'email'])
    : nameOrEmailMatches(search, viewer);

/**
 * By name or username, or by the full e-mail address: partial matches would allow guessing
 * addresses. Anonymous users do not learn whose address one is.
 */
export const nameOrEmailMatches = (search: string, viewer: Viewer | null): Prisma.Sql =>
  anyOf([
    containsText(search, ['name', 'username']),
    ...(viewer ? [Prisma.sql`email_key = ${emailKey(search)}`] : []),
  ]);

const identityCondition = ({ provider, externUid }: DirectoryIdentity): Prisma.Sql =>
  Prisma.sql`id IN (
    SELECT user_id FROM identities WHERE provider = ${provider} AND extern_uid = ${externUid})`;

const createdBetween = ({ createdAfter, createdBefore }: Filter): Prisma.Sql[] => [
  ...(createdAfter ? [Prisma.sql`created_at >= ${instant(createdAfter)}`] : []),
  ...(createdBefore ? [Prisma.sql`created_at <= ${instant(createdBefore)}`] : []),
];

const withActivity = ({ activeSince }: Filter): Prisma.Sql[] =>
  activeSince ? [Prisma.sql`last_activity_on >= ${activeSince}::date`] : [];
