import { graphql, type ResultOf, type VariablesOf } from '../../../schema/client/graphql.ts';
import { adminPage } from '../frame/admin-menu.ts';
import { avatar } from '../kernel/avatar.ts';
import { field, select } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { badges, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Page, Visit } from '../kernel/page.ts';
import { notice, table } from '../kernel/parts.ts';
import { day } from '../kernel/times.ts';
import { adminGet } from './admin-pages.ts';

const Users = graphql(`
  query AdminUsers($filter: UserFilter, $page: Int!, $perPage: Int!) {
    users(filter: $filter, page: $page, perPage: $perPage) {
      total
      nodes {
        id name username email avatarUrl state isAdmin isExternal createdAt
        account { isTwoFactorEnabled lastActivityOn }
      }
    }
  }
`);

type Listed = ResultOf<typeof Users>['users']['nodes'][number];
type Filter = NonNullable<VariablesOf<typeof Users>['filter']>;

const states: Readonly<Record<string, readonly [name: string, filter: Filter]>> = {
  '': ['All', {}],
  active: ['Active', { isActive: true }],
  blocked: ['Blocked', { isBlocked: true }],
  external: ['External', { isExternal: true }],
};

async function usersPage(visit: Visit): Promise<Answer> {
  const { query, url } = visit;
  const search = query.search?.trim() ?? '';
  const state = query.state !== undefined && Object.hasOwn(states, query.state) ? query.state : '';
  const page = pageOf(visit);
  const filter = { ...states[state]?.[1], ...(search && { search }) };
  const { users } = await visit.ask(Users, { filter, page, perPage });
  return adminPage(visit, {
    section: '/admin/users',
    title: 'Users',
    main: html`${query.deleted === '1' && notice('The user was deleted.')}
<form method="get" action="${url('/admin/users')}" class="filters" role="search">
${field({ name: 'search', id: 'user-search', label: 'Search', placeholder: 'Name, username or e-mail', type: 'search', value: search })}
${select({
  name: 'state',
  label: 'State',
  value: state,
  options: Object.entries(states).map(([value, [name]]) => [value, name] as const),
})}
<button>Filter</button>
</form>
<p class="bar"><span class="quiet">${users.total} ${users.total === 1 ? 'user' : 'users'}</span>
<a class="button small primary" href="${url('/admin/users/new')}">New user</a></p>
${table(
  'Users',
  'No users match the filter.',
  headings,
  users.nodes.map((user) => rowOf(visit, user)),
)}
${pager({ address: url('/admin/users'), page, total: users.total, query: { search, state } })}`,
  });
}

const headings = ['User', 'E-mail', 'Created', 'Last activity', ''];

const rowOf = ({ url }: Visit, user: Listed): readonly Html[] => [
  html`${avatar(user)} <a href="${url(`/admin/users/${user.id}`)}">${user.name}</a>
<span class="quiet">@${user.username}</span>${userBadges(user)}`,
  html`${user.email}`,
  day(user.createdAt),
  user.account?.lastActivityOn ? day(user.account.lastActivityOn) : html`never`,
  html`<a href="${url(`/admin/users/${user.id}/edit`)}" aria-label="Edit ${user.name}">Edit</a>`,
];

/** What makes an account special. */
export const userBadges = (
  user: Pick<Listed, 'isAdmin' | 'isExternal' | 'state'> & {
    readonly account: { readonly isTwoFactorEnabled: boolean } | null;
  },
): Html =>
  badges([
    user.isAdmin && 'administrator',
    user.isExternal && 'external',
    user.state === 'blocked' && 'blocked',
    user.state === 'ldap_blocked' && 'blocked by the directory',
    user.account?.isTwoFactorEnabled && 'two-factor',
  ]);

export const usersPages: readonly Page[] = [adminGet('/admin/users', usersPage)];
