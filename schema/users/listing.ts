import type { Context } from '../kernel/context.ts';
import type { PageArgs } from '../listing/page.ts';
import { type UserFilter, usersMatching } from './filter.ts';
import { userPage } from './rows.ts';

interface UserListArgs extends PageArgs {
  readonly filter?: Partial<typeof UserFilter.$inferInput> | null | undefined;
}

/** A page of the users that match the filter, the newest first. Callers check `canListUsers`. */
export const listUsers = ({ filter, ...page }: UserListArgs, ctx: Pick<Context, 'db' | 'viewer'>) =>
  userPage(ctx, {
    table: 'users',
    where: usersMatching(filter ?? {}, ctx),
    isSearch: Boolean(filter?.search),
    column: 'id',
    direction: 'desc',
    page,
  });
