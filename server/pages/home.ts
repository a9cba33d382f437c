import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { type Html, html } from './kernel/html.ts';
import type { Answer, Page, Visit } from './kernel/page.ts';
import { when } from './kernel/times.ts';

const perPage = 20;

// rows of the next page show that it exists: counting all projects would take longer with their number
const HomeProjects = graphql(`
  query HomeProjects($search: String, $page: Int!, $next: Int!, $perPage: Int!) {
    projects(
      filter: { search: $search }, orderBy: lastActivityAt, sort: desc, page: $page, perPage: $perPage
    ) {
      nodes { fullName fullPath description visibility lastActivityAt }
    }
    following: projects(
      filter: { search: $search }, orderBy: lastActivityAt, sort: desc, page: $next, perPage: $perPage
    ) { nodes { id } }
  }
`);

type ShownProject = ResultOf<typeof HomeProjects>['projects']['nodes'][number];

/** Users find further projects by searching. */
const lastPage = 500;

async function home(visit: Visit): Promise<Answer> {
  const { viewer, settings, query, url } = visit;
  if (!viewer && settings.homePageUrl) return { redirect: settings.homePageUrl };
  const search = query.search?.trim() ?? '';
  const page = Math.min(Math.max(Number.parseInt(query.page ?? '1', 10) || 1, 1), lastPage);
  const { projects, following } = await visit.ask(HomeProjects, {
    search: search === '' ? null : search,
    page,
    next: page + 1,
    perPage,
  });
  const hasMore = following.nodes.length > 0 && page < lastPage;
  const pageUrl = (number: number) =>
    url(`/?${new URLSearchParams({ ...(search && { search }), page: String(number) })}`);
  return {
    title: 'Projects',
    main: html`<h1>Projects</h1>
<form method="get" action="${url('/')}" role="search" class="row">
<label for="search">Search</label>
<input id="search" name="search" type="search" value="${search}">
<button>Search</button>
</form>
${projects.nodes.length === 0 ? html`<p>${nothing(visit, search)}</p>` : list(visit, projects.nodes)}
${pager(page > 1 ? pageUrl(page - 1) : null, hasMore ? pageUrl(page + 1) : null)}`,
  };
}

const pager = (newer: string | null, older: string | null): Html | null =>
  newer || older
    ? html`<nav aria-label="Pages" class="row">
${newer && html`<a rel="prev" href="${newer}">Newer</a>`}
${older && html`<a rel="next" href="${older}">Older</a>`}
</nav>`
    : null;

const list = ({ url }: Visit, projects: readonly ShownProject[]): Html =>
  html`<ul class="entries">${projects.map(
    ({ fullName, fullPath, description, visibility, lastActivityAt }) => html`<li>
<p><a href="${url(`/${fullPath}`)}">${fullName}</a> <span class="badge">${visibility}</span></p>
${description && html`<p>${description}</p>`}
<p class="quiet">Active ${when(lastActivityAt)}</p>
</li>`,
  )}</ul>`;

function nothing({ viewer }: Visit, search: string): string {
  if (search !== '') return 'No projects match your search.';
  return viewer ? 'There are no projects yet.' : 'There are no public projects yet.';
}

export const homePages: readonly Page[] = [
  { method: 'get', path: '/', access: 'anyone', answer: home },
];
