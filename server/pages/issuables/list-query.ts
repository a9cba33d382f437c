import type { Visit } from '../kernel/page.ts';

/** What a list has: issues or merge requests. */
export type IssuableKind = 'issues' | 'merge_requests';

export const statesOf = {
  issues: ['opened', 'closed', 'all'],
  merge_requests: ['opened', 'merged', 'closed', 'all'],
} as const;

export type ListState = (typeof statesOf)[IssuableKind][number];

/** The orders of a list by the value of `sort` in its address, the default first. */
export const orders = [
  ['created_desc', 'Newest', 'createdAt', 'desc'],
  ['created_asc', 'Oldest', 'createdAt', 'asc'],
  ['updated_desc', 'Recently updated', 'updatedAt', 'desc'],
  ['updated_asc', 'Least recently updated', 'updatedAt', 'asc'],
] as const;

/** Relations of the items of a dashboard to the user, the default first. */
export const scopes = [
  ['assigned_to_me', 'Assigned to you', 'assignedToMe'],
  ['created_by_me', 'Created by you', 'createdByMe'],
  ['all', 'All', 'all'],
] as const;

/** The value of `milestone_title` for items without a milestone. */
export const noMilestone = 'No Milestone';

/** The value of `assignee_username` for items without an assignee; no username begins so. */
export const noAssignee = '-none';

/** Characters of one value, and values of a list: the core accepts no more. */
const longest = 255;
const mostLabels = 20;

/** The filter and order in the address of a list. */
export interface ListQuery {
  readonly state: ListState;
  readonly sort: string;
  readonly search: string;
  readonly labels: readonly string[];
  readonly milestone: string;
  readonly author: string;
  readonly assignee: string;
  /** Of dashboards. */
  readonly scope: string;
}

/** Reads the address of a list; unknown values count as absent. */
export function listQueryOf({ query, ctx }: Visit, kind: IssuableKind): ListQuery {
  const text = (name: string) => (query[name] ?? '').trim().slice(0, longest).toWellFormed();
  const oneOf = <Value extends string>(values: readonly Value[], name: string): Value =>
    values.find((value) => value === query[name]) ?? (values[0] as Value);
  const labels = [ctx.query['label_name[]'] ?? []]
    .flat()
    .map((name) => name.trim().slice(0, longest).toWellFormed())
    .filter((name) => name !== '' && !name.includes('\0'));
  return {
    state: oneOf<ListState>(statesOf[kind], 'state'),
    sort: oneOf(
      orders.map(([value]) => value),
      'sort',
    ),
    search: text('search'),
    labels: [...new Set(labels)].slice(0, mostLabels),
    milestone: text('milestone_title'),
    author: text('author_username'),
    assignee: text('assignee_username'),
    scope: oneOf(
      scopes.map(([value]) => value),
      'scope',
    ),
  };
}

/** The parameters of the address that `listQueryOf` reads; defaults are left out. */
export function parametersOf(query: ListQuery): readonly (readonly [string, string])[] {
  const { state, sort, search, labels, milestone, author, assignee, scope } = query;
  const single = [
    ['state', state === 'opened' ? '' : state],
    ['scope', scope === scopes[0][0] ? '' : scope],
    ['search', search],
    ['milestone_title', milestone],
    ['author_username', author],
    ['assignee_username', assignee],
    ['sort', sort === orders[0][0] ? '' : sort],
  ] as const;
  return [
    ...single.filter(([, value]) => value !== ''),
    ...labels.map((name) => ['label_name[]', name] as const),
  ];
}

/** The address of a list with this filter. */
export function listAddress(address: string, query: ListQuery): string {
  const parameters = parametersOf(query).map(([name, value]) => [name, value]);
  return parameters.length === 0 ? address : `${address}?${new URLSearchParams(parameters)}`;
}

/** Whether the list shows all items of its state. */
export const isUnfiltered = ({ search, labels, milestone, author, assignee }: ListQuery): boolean =>
  labels.length === 0 && [search, milestone, author, assignee].every((value) => value === '');

/** The filter as the core takes it, without the state. */
export const filterOf = (query: ListQuery, isDashboard: boolean) => ({
  ...(query.search !== '' && { search: query.search }),
  ...(query.labels.length > 0 && { labels: [...query.labels] }),
  ...(query.milestone === noMilestone
    ? { hasMilestone: false }
    : query.milestone !== '' && { milestoneTitle: query.milestone }),
  ...(query.author !== '' && { authorUsername: query.author }),
  ...(query.assignee === noAssignee
    ? { hasAssignee: false }
    : query.assignee !== '' && { assigneeUsername: query.assignee }),
  ...(isDashboard && { scope: scopes.find(([value]) => value === query.scope)?.[2] ?? 'all' }),
});

export const orderOf = ({ sort: chosen }: ListQuery) => {
  const [, , orderBy, sort] = orders.find(([value]) => value === chosen) ?? orders[0];
  return { orderBy, sort };
};
