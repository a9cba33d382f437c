import type { World } from './world.ts';

/** A listing, its callers, and the filters and orders that each requests. */
export interface Listing {
  /** As the specification writes it. */
  readonly title: string;
  readonly path: string;
  readonly callers: readonly CallerQueries[];
  /** Measures the last page only without filters, as the listing has few pages. */
  readonly isShort?: boolean;
}

export type Caller = 'anonymous' | 'member' | 'worker' | 'nonMember' | 'admin';

interface CallerQueries {
  readonly by: Caller;
  readonly queries: readonly string[];
}

const directions = ['asc', 'desc'] as const;

const ordersOf = (columns: readonly string[]) =>
  columns.flatMap((column) => directions.map((sort) => `order_by=${column}&sort=${sort}`));

const projectOrders = ordersOf([
  ...['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at'],
]);

/** A word in one of thirteen rows, a text in very few, and two letters, too short for the index. */
const searchesWith = (rare: string) => ['search=harbor', `search=${rare}`, 'search=be'];

/** Filters of every listing of projects. */
const projectFiltersWith = (rare: string) => [
  '',
  'archived=true',
  'archived=false',
  ...['visibility=private', 'visibility=internal', 'visibility=public'],
  ...searchesWith(rare),
  ...['simple=true', 'owned=true', 'starred=true'],
];

const projectFilters = projectFiltersWith('arbor-12');

const moreProjectFilters = [
  ...['membership=true', 'statistics=true'],
  ...['with_issues_enabled=true', 'with_merge_requests_enabled=true'],
];

const groupOrders = ordersOf(['name', 'path']);

const groupFilters = ['', 'search=team-12', 'owned=true', 'all_available=false'];

const userFilters = [
  ...['', 'search=larsen', 'search=er1', 'username=user77', 'active=true', 'blocked=true'],
];

const accountFilters = [
  ...['external=true', 'created_after=2017-02-01T00:00:00Z', 'created_before=2017-03-15T00:00:00Z'],
  'custom_attributes%5Bteam%5D=team%207',
];

/** Every listing with every filter and order that is documented for it. */
export function listingsOf(world: World): readonly Listing[] {
  const { users, targets } = world;
  const skipped = Array.from({ length: 100 }, (_, index) => targets.topGroup.id + index * 3);
  const skipping = skipped.map((id) => `skip_groups%5B%5D=${id}`).join('&');
  return [
    {
      title: 'GET /projects',
      path: '/projects',
      callers: [
        { by: 'member', queries: [...projectFilters, ...moreProjectFilters, ...projectOrders] },
        {
          by: 'worker',
          queries: ['', 'membership=true', 'owned=true', 'visibility=private', 'order_by=name'],
        },
        { by: 'nonMember', queries: ['', 'order_by=updated_at'] },
        { by: 'anonymous', queries: ['', 'order_by=name&sort=asc', 'search=harbor'] },
        {
          by: 'admin',
          queries: ['', 'order_by=name&sort=asc', 'search=harbor', 'statistics=true'],
        },
      ],
    },
    {
      title: 'GET /users/:user_id/projects',
      path: `/users/${users.member.id}/projects`,
      isShort: true,
      callers: [
        {
          by: 'member',
          queries: [...projectFiltersWith('-120'), ...moreProjectFilters, ...projectOrders],
        },
        { by: 'anonymous', queries: [''] },
      ],
    },
    {
      title: 'GET /groups/:id/projects',
      path: `/groups/${targets.topGroup.id}/projects`,
      isShort: true,
      callers: [
        { by: 'member', queries: [...projectFilters, ...projectOrders] },
        { by: 'anonymous', queries: [''] },
      ],
    },
    {
      title: 'GET /groups',
      path: '/groups',
      callers: [
        { by: 'member', queries: [...groupFilters, skipping, ...groupOrders] },
        { by: 'worker', queries: ['', 'all_available=false'] },
        { by: 'anonymous', queries: ['', 'search=team-12'] },
        { by: 'admin', queries: ['', 'statistics=true'] },
      ],
    },
    {
      title: 'GET /groups/:id/subgroups',
      path: `/groups/${targets.wideGroup.id}/subgroups`,
      isShort: true,
      callers: [
        { by: 'member', queries: [...groupFilters, ...groupOrders] },
        { by: 'anonymous', queries: [''] },
        { by: 'admin', queries: ['statistics=true'] },
      ],
    },
    {
      title: 'GET /namespaces',
      path: '/namespaces',
      callers: [
        { by: 'member', queries: ['', 'search=team-12'] },
        { by: 'worker', queries: [''] },
        { by: 'admin', queries: ['', 'search=team-12'] },
      ],
    },
    {
      title: 'GET /users',
      path: '/users',
      callers: [
        { by: 'member', queries: userFilters },
        { by: 'anonymous', queries: ['username=user77'] },
        { by: 'admin', queries: [...userFilters, ...accountFilters, targets.identity] },
      ],
    },
    {
      title: 'GET /projects/:id/users',
      path: `/projects/${targets.crowdedProject.id}/users`,
      callers: [
        { by: 'member', queries: ['', 'search=larsen'] },
        { by: 'anonymous', queries: [''] },
      ],
    },
    {
      title: 'GET /projects/:id/members',
      path: `/projects/${targets.crowdedProject.id}/members`,
      callers: [{ by: 'member', queries: ['', 'query=larsen'] }],
    },
    {
      title: 'GET /groups/:id/members',
      path: `/groups/${targets.topGroup.id}/members`,
      callers: [{ by: 'member', queries: ['', 'query=larsen'] }],
    },
  ];
}

const sampleQueries: ReadonlySet<string> = new Set([
  '',
  'search=harbor',
  'membership=true',
  'order_by=name&sort=asc',
]);

/** Whether a bench without arguments measures this query. */
export const isInSample = (by: Caller, query: string): boolean =>
  by === 'member' ? sampleQueries.has(query) : by === 'anonymous' && query === '';
