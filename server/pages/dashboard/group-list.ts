import { graphql, type VariablesOf } from '../../../schema/client/graphql.ts';
import { groupRowFields, groupRows } from '../groups/group-rows.ts';
import { field } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';

const ListedGroups = graphql(
  `query ListedGroups($filter: GroupFilter!, $page: Int!, $perPage: Int!) {
    groups(filter: $filter, orderBy: path, page: $page, perPage: $perPage) {
      total nodes { ...GroupRowFields }
    }
  }`,
  [groupRowFields],
);

interface GroupList {
  /** The path of the page, without query. */
  readonly path: string;
  /** The groups of the list; the text of the search field is added. */
  readonly filter: Omit<VariablesOf<typeof ListedGroups>['filter'], 'search'>;
  /** What stands in place of an empty list. */
  readonly none: Html;
}

/** A page of groups with a search field. */
export async function groupList(visit: Visit, { path, filter, none }: GroupList): Promise<Html> {
  const search = visit.query.search?.trim() ?? '';
  const page = pageOf(visit);
  const { groups } = await visit.ask(ListedGroups, {
    filter: { ...filter, ...(search && { search }) },
    page,
    perPage,
  });
  const address = visit.url(path);
  const isEmpty = groups.total === 0 && search === '';
  return html`<form method="get" action="${address}" role="search" class="filters">
${field({ name: 'search', label: 'Search groups', type: 'search', value: search })}
<button class="secondary">Search</button>
</form>
${isEmpty ? none : groupRows(visit, groups.nodes, { isFull: true, none: 'No groups match your search.' })}
${pager({ address, page, total: groups.total, query: search ? { search } : {} })}`;
}
