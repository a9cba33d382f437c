import { type Html, html } from '../kernel/html.ts';
import { entries, pageOf, pager } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { emptyState } from '../kernel/parts.ts';
import { filterForm } from './filters.ts';
import {
  type IssuableKind,
  isUnfiltered,
  listAddress,
  listQueryOf,
  parametersOf,
  scopes,
  statesOf,
} from './list-query.ts';
import type { ListScope } from './listed.ts';
import { readIssues } from './read-issues.ts';
import { readMergeRequests } from './read-merge-requests.ts';
import { issuableRow } from './row.ts';

interface List {
  readonly kind: IssuableKind;
  readonly scope: ListScope;
  /** The address of the page with the list; the filter is its query. */
  readonly address: string;
  /** The link to a form for a new item; null if there is none. */
  readonly create: Html | null;
}

const nouns = { issues: 'issues', merge_requests: 'merge requests' } as const;

/**
 * The issues or merge requests of a project, a group, or of all projects (a dashboard): the states
 * with their counts, the filter, and the rows. The filter is in the address, so that it can be
 * bookmarked.
 */
export async function issuableList(visit: Visit, list: List): Promise<Html> {
  const { kind, scope, address, create } = list;
  const query = listQueryOf(visit, kind);
  const page = pageOf(visit);
  const read = kind === 'issues' ? readIssues : readMergeRequests;
  const [{ total, counts, items }, filters] = await Promise.all([
    read(visit, scope, query, page),
    filterForm(visit, scope, address, query),
  ]);
  if (isUnfiltered(query) && counts.get('all') === 0 && scope.kind !== 'dashboard') {
    return emptyState(`There are no ${nouns[kind]} yet`, introductions[kind], create);
  }
  const withProject = scope.kind !== 'project';
  const rows = items.map((item) => issuableRow(visit, kind, item, { list: address, withProject }));
  return html`<div class="bar">${statesNav(address, kind, query, counts)}${create}</div>
${scope.kind === 'dashboard' && scopesNav(address, query)}
${filters}
${entries(rows, `No ${nouns[kind]} match this filter.`)}
${pager({ address, page, total, query: parametersOf(query) })}`;
}

type Query = ReturnType<typeof listQueryOf>;

const statesNav = (
  address: string,
  kind: IssuableKind,
  query: Query,
  counts: ReadonlyMap<string, number>,
): Html =>
  html`<nav class="choices" aria-label="State"><ul>${statesOf[kind].map(
    (state) =>
      html`<li><a href="${listAddress(address, { ...query, state })}"${state === query.state && html` aria-current="true"`}>${names[state]} <span class="count">${counts.get(state) ?? 0}</span></a></li>`,
  )}</ul></nav>`;

const scopesNav = (address: string, query: Query): Html =>
  html`<nav class="choices" aria-label="Relation to you"><ul>${scopes.map(
    ([scope, name]) =>
      html`<li><a href="${listAddress(address, { ...query, scope })}"${scope === query.scope && html` aria-current="true"`}>${name}</a></li>`,
  )}</ul></nav>`;

const names = { opened: 'Open', merged: 'Merged', closed: 'Closed', all: 'All' } as const;

const introductions = {
  issues: 'Issues track bugs, ideas and tasks, and the discussion about them.',
  merge_requests: 'Merge requests propose changes of a branch, which others review.',
} as const;
