import type { User } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { describeModel } from '../listing/described.ts';
import type { PageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { type UserFilter, usersMatching } from './filter.ts';

describeModel('User', {
  computed: {
    avatarUrl: ['avatar', 'emailKey'],
    webUrl: ['username'],
    email: ['email'],
    isAdmin: ['isAdmin'],
    isExternal: ['isExternal'],
  },
});

/** The arguments of a listing of users. */
export interface UserListArgs extends PageArgs {
  readonly filter?: Partial<typeof UserFilter.$inferInput> | null | undefined;
}

const newest = { column: 'id', direction: 'desc' } as const;

/** The order by the last activity, the longest inactive first. */
export const activity = { column: 'last_activity_on', direction: 'asc' } as const;

/** A page of the users that match the filter. Callers check `canListUsers`. */
export const listUsers = (
  { filter, ...page }: UserListArgs,
  ctx: Pick<Context, 'db' | 'viewer'>,
  order: typeof newest | typeof activity = newest,
) =>
  pageOfRecords<User>(ctx, {
    table: 'users',
    where: usersMatching(filter ?? {}, ctx),
    isSearch: Boolean(filter?.search),
    ...order,
    page,
  });
