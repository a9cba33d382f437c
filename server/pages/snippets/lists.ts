import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { canCreatePersonalSnippet } from '../../../schema/snippets/policy.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import { choices, entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { emptyState, visibilityMark } from '../kernel/parts.ts';
import { person, personFields } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';
import { personalHome, projectHome, type SnippetHome } from './home.ts';

const rowFields = graphql(
  `fragment SnippetRow on Snippet {
    id title fileName visibility createdAt author { ...PersonFields }
  }`,
  [personFields],
);

const inProject = graphql(
  `query BrowsedSnippets($project: ID!, $page: Int!, $perPage: Int!) {
    project(id: $project) { access { canCreateSnippet } }
    snippets: projectSnippets(project: $project, page: $page, perPage: $perPage) {
      total nodes { ...SnippetRow }
    }
  }`,
  [rowFields],
);

const own = graphql(
  `query OwnSnippets($page: Int!, $perPage: Int!) {
    snippets: ownSnippets(page: $page, perPage: $perPage) { total nodes { ...SnippetRow } }
  }`,
  [rowFields],
);

const all = graphql(
  `query PublicSnippets($page: Int!, $perPage: Int!) {
    snippets(page: $page, perPage: $perPage) { total nodes { ...SnippetRow } }
  }`,
  [rowFields],
);

/** The snippets of a project. */
export async function showProjectSnippets(visit: Visit, project: Project): Promise<Answer> {
  const page = pageOf(visit);
  const variables = { project: String(project.id), page, perPage };
  const { snippets, project: shown } = await visit.ask(inProject, variables);
  const home = projectHome(visit, project);
  const create =
    shown.access.canCreateSnippet && newSnippet(addressIn(visit, project, 'snippets', 'new'));
  return listPage(visit, home, { snippets, create });
}

/** The personal snippets of the user, or with `?scope=public` the public ones of all users. */
export async function showPersonalSnippets(visit: Visit): Promise<Answer> {
  const page = pageOf(visit);
  const scope = visit.query.scope === 'public' ? 'Public' : 'Yours';
  const document = scope === 'Public' ? all : own;
  const { snippets } = await visit.ask(document, { page, perPage });
  const home = personalHome(visit);
  const { address } = home;
  const scopes = [
    ['Yours', address],
    ['Public', `${address}?scope=public`],
  ] as const;
  return listPage(visit, home, {
    snippets,
    create:
      visit.viewer !== null &&
      canCreatePersonalSnippet(visit.viewer) &&
      newSnippet(`${address}/new`),
    filters: choices('Snippets', scopes, scope),
    query: scope === 'Public' ? { scope: 'public' } : {},
  });
}

const newSnippet = (address: string): Html =>
  html`<a class="button" href="${address}">${icon('plus')}New snippet</a>`;

interface SnippetList {
  readonly snippets: {
    readonly total: number;
    readonly nodes: readonly ResultOf<typeof rowFields>[];
  };
  /** The button of a new snippet; false if the user may not create one. */
  readonly create: Html | false;
  readonly filters?: Html;
  readonly query?: Readonly<Record<string, string>>;
}

function listPage(visit: Visit, home: SnippetHome, list: SnippetList): Answer {
  const { snippets, create, filters, query = {} } = list;
  const { total, nodes } = snippets;
  const { address } = home;
  const rows = nodes.map(
    ({ id, title, fileName, visibility, createdAt, author }) =>
      html`<a class="name" href="${address}/${id}">${title}</a> ${visibilityMark(visibility)}
<span class="quiet">${fileName} · ${person(visit, author)} · ${when(createdAt)}</span>`,
  );
  const main = html`<div class="bar"><h1>Snippets</h1>${total > 0 && create}</div>
${filters}
${
  total === 0
    ? emptyState(
        'There are no snippets yet',
        'A snippet is a piece of code or text to share.',
        create || null,
      )
    : entries(rows, 'There are no more snippets.')
}
${pager({ address, page: pageOf(visit), total, query })}`;
  return home.page('Snippets', main);
}
