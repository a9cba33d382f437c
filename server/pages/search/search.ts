import { refusal } from '../../../schema/client/execute.ts';
import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { groupFields, groupPage } from '../frame/group-head.ts';
import { projectHeadFields, projectPage } from '../frame/project-head.ts';
import { numberIn } from '../kernel/addresses.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { type Html, html } from '../kernel/html.ts';
import { choices, entries, pageOf, pager } from '../kernel/listing.ts';
import type { Answer, Page, ShownPage, Visit } from '../kernel/page.ts';
import { alert, emptyState } from '../kernel/parts.ts';
import { signInAddress } from '../kernel/return-to.ts';
import { everywhere } from './everywhere.ts';
import { inGroup } from './in-group.ts';
import { inProject } from './in-project.ts';
import type { Scope, SearchPlace } from './scope.ts';

const projectDocument = graphql(
  `query SearchedProject($id: ID!) { project(id: $id) { ...ProjectHeadFields } }`,
  [projectHeadFields],
);

const groupDocument = graphql(
  `query SearchedGroup($id: ID!) { group(id: $id) { ...GroupFields } }`,
  [groupFields],
);

/** The place of a search with its scopes, and the page around its results. */
interface Searched extends SearchPlace {
  /** The query parameters that name the place. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The full path; null everywhere. */
  readonly name: string | null;
  readonly scopes: readonly Scope[];
  readonly around: (title: string, main: Html) => ShownPage;
}

async function placeOf(visit: Visit): Promise<Searched> {
  const { project_id: projectId, group_id: groupId } = visit.query;
  if (projectId) {
    const id = String(numberIn(projectId));
    const { project } = await visit.ask(projectDocument, { id });
    return {
      id,
      project,
      parameters: { project_id: id },
      name: project.fullPath,
      scopes: inProject(project),
      around: (title, main) => ({
        ...projectPage(visit, project, 'search', title, main),
        searchIn: { field: 'project_id', id, name: project.name },
      }),
    };
  }
  if (groupId) {
    const id = String(numberIn(groupId));
    const { group } = await visit.ask(groupDocument, { id });
    return {
      id,
      parameters: { group_id: id },
      name: group.fullPath,
      scopes: inGroup,
      around: (title, main) => ({
        ...groupPage(visit, group, 'search', title, main),
        searchIn: { field: 'group_id', id, name: group.name },
      }),
    };
  }
  return {
    id: '',
    parameters: {},
    name: null,
    scopes: everywhere,
    around: (title, main) => ({ title, main }),
  };
}

/** `/search?search=…&scope=…`, in a project with `project_id`, in a group with `group_id`. */
async function showSearch(visit: Visit): Promise<Answer> {
  const place = await placeOf(visit);
  const { scopes } = place;
  const scope = scopes.find(({ word }) => word === visit.query.scope) ?? scopes[0];
  if (!scope) throw pathNotFound();
  const search = visit.query.search?.trim() ?? '';
  if (search === '') {
    return page(visit, place, scope, emptyState('Search', 'Enter at least two characters.'));
  }
  return orFault(
    visit,
    async () => page(visit, place, scope, await resultsOf(visit, place, scope)),
    (fault) => page(visit, place, scope, alert(textOf(fault)), fault.status),
  );
}

const textOf = ({ text, fields }: Fault): string =>
  text ??
  faultText(fields, 'query', 'The text') ??
  faultText(fields, 'search', 'The text') ??
  'The search is invalid.';

async function resultsOf(visit: Visit, place: Searched, scope: Scope): Promise<Html> {
  const search = visit.query.search?.trim() ?? '';
  const found = await scope.find(visit, place, search).catch((error: unknown) => {
    if (visit.viewer || refusal(error)?.code !== 'UNAUTHENTICATED') throw error;
    return null;
  });
  const kind = scope.name.toLowerCase();
  if (!found) {
    const signIn = html`<a class="button" href="${signInAddress(visit)}">Sign in</a>`;
    return emptyState('Sign in to see results', `Only signed-in users can search ${kind}.`, signIn);
  }
  const { total, rows } = found;
  if (total === 0) {
    const wider =
      place.name !== null &&
      html`<a href="${addressOf(visit, {}, { search })}">Search everywhere</a>`;
    return emptyState(`No results in ${kind}`, 'Try another text or another tab.', wider || null);
  }
  return html`<p class="quiet">${total} ${total === 1 ? 'result' : 'results'} in ${kind}</p>
${entries(rows, 'There are no more results.')}
${pager({
  address: visit.url('/search'),
  page: pageOf(visit),
  total,
  query: { ...place.parameters, scope: scope.word, search },
})}`;
}

const addressOf = (
  { url }: Visit,
  parameters: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>,
): string => `${url('/search')}?${new URLSearchParams({ ...parameters, ...query })}`;

function page(
  visit: Visit,
  place: Searched,
  scope: Scope,
  results: Html | null,
  status = 200,
): ShownPage {
  const { parameters, name, scopes, around } = place;
  const search = visit.query.search?.trim() ?? '';
  const tabs = scopes.map(
    (each) => [each.name, addressOf(visit, parameters, { scope: each.word, search })] as const,
  );
  const hidden = Object.entries({ ...parameters, scope: scope.word }).map(
    ([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`,
  );
  const main = html`<h1>Search${name !== null && html` in ${name}`}</h1>
<form method="get" action="${visit.url('/search')}" class="row" role="search" aria-label="Results">
${hidden}<label class="unseen" for="search-text">Text</label>
<input id="search-text" name="search" type="search" value="${search}" maxlength="255">
<button>Search</button>
</form>
${choices('Kind of results', tabs, scope.name)}
${results}`;
  const title = search === '' ? 'Search' : `${search} · Search`;
  return { ...around(title, main), status };
}

export const searchPages: readonly Page[] = [
  { method: 'get', path: '/search', access: 'anyone', answer: showSearch },
];
