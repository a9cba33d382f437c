import { graphql, type VariablesOf } from '../../../schema/client/graphql.ts';
import { field, type Option, select } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { openPager, pageOf } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { projectRowFields, projectRows } from '../projects/project-rows.ts';

const perPage = 20;

/** Users find further projects by searching. */
const lastPage = 500;

// rows of the next page show that it exists: counting all projects would take longer with their number
const ListedProjects = graphql(
  `query ListedProjects(
    $filter: ProjectFilter!, $orderBy: ProjectOrder!, $sort: SortDirection!
    $page: Int!, $next: Int!, $perPage: Int!
  ) {
    projects(filter: $filter, orderBy: $orderBy, sort: $sort, page: $page, perPage: $perPage) {
      nodes { ...ProjectRowFields }
    }
    following: projects(
      filter: $filter, orderBy: $orderBy, sort: $sort, page: $next, perPage: $perPage
    ) { nodes { id } }
  }`,
  [projectRowFields],
);

type Variables = VariablesOf<typeof ListedProjects>;

const orders: Readonly<Record<string, Pick<Variables, 'orderBy' | 'sort'>>> = {
  activity: { orderBy: 'lastActivityAt', sort: 'desc' },
  newest: { orderBy: 'createdAt', sort: 'desc' },
  name: { orderBy: 'name', sort: 'asc' },
};

const orderNames: readonly Option[] = [
  ['activity', 'Last activity'],
  ['newest', 'Newest'],
  ['name', 'Name'],
];

interface ProjectList {
  /** The path of the page, without query. */
  readonly path: string;
  /** The projects of the list; the text of the search field is added. */
  readonly filter: Omit<Variables['filter'], 'search'>;
  /** The query parameters that select the list. */
  readonly query?: Readonly<Record<string, string>>;
  /** What stands in place of an empty list. */
  readonly none: Html;
}

/** The searched text, and whether it or another page than the first was requested. */
export function searchOf(visit: Visit) {
  const search = visit.query.search?.trim() ?? '';
  return { search, isNarrowed: search !== '' || pageOf(visit) > 1 };
}

/** A page of projects with a search field and an order; both are in the address. */
export async function projectList(visit: Visit, list: ProjectList) {
  const { search } = searchOf(visit);
  const order = Object.hasOwn(orders, visit.query.sort ?? '')
    ? (visit.query.sort ?? '')
    : 'activity';
  const page = Math.min(pageOf(visit), lastPage);
  const { projects, following } = await visit.ask(ListedProjects, {
    filter: { ...list.filter, ...(search && { search }) },
    ...(orders[order] ?? { orderBy: 'lastActivityAt', sort: 'desc' }),
    page,
    next: page + 1,
    perPage,
  });
  const address = visit.url(list.path);
  const query = {
    ...list.query,
    ...(search && { search }),
    ...(order !== 'activity' && { sort: order }),
  };
  const hasMore = following.nodes.length > 0 && page < lastPage;
  const isEmpty = projects.nodes.length === 0;
  const shown = isEmpty
    ? search === ''
      ? list.none
      : html`<p class="quiet">No projects match your search.</p>`
    : projectRows(visit, projects.nodes, { isFull: true });
  return {
    isEmpty,
    main: html`<form method="get" action="${address}" role="search" class="filters">
${Object.entries(list.query ?? {}).map(
  ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
)}
${field({ name: 'search', label: 'Search projects', type: 'search', value: search })}
${select({ name: 'sort', label: 'Sort by', value: order, options: orderNames })}
<button class="secondary">Search</button>
</form>
${shown}
${openPager({ address, page, hasMore, query })}`,
  };
}
