import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { largestShown } from '../code/content.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import { orMissing } from '../kernel/or-missing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { emptyState } from '../kernel/parts.ts';
import { wikiLinking } from '../markdown/linking.ts';
import { markdown, plain } from '../markdown/markdown.ts';
import { wikiAccess } from './access.ts';
import { newPageLink, pagesOf, showPages } from './pages.ts';
import { wikiSidebar } from './sidebar.ts';

const pageDocument = graphql(
  `query BrowsedWikiPage($project: ID!, $slug: String!) {
    wikiPage(project: $project, slug: $slug) { slug title format content }
  }`,
);

const formerDocument = graphql(`
  query FormerWikiPage($project: ID!, $slug: String!) {
    wikiPageHistory(project: $project, slug: $slug) { slug }
  }
`);

/** A page of the wiki by its slug, its first page without one, or `pages`: a list of all pages. */
export const showWiki: ProjectPage = async (visit, project, rest) => {
  if (rest === '') {
    return { redirect: addressIn(visit, project, 'wikis', await firstPage(visit, project)) };
  }
  if (rest === 'pages') return showPages(visit, project);
  const [{ canWriteWiki }, wikiPage, sidebar] = await Promise.all([
    wikiAccess(visit, project),
    pageOrNull(visit, project, rest),
    wikiSidebar(visit, project, rest),
  ]);
  if (!wikiPage) return missingPage(visit, project, rest, canWriteWiki);
  const { slug, title } = wikiPage;
  const main = html`<div class="bar"><h1>${title}</h1><div class="row">
<a class="button secondary small" href="${addressIn(visit, project, 'wikis', 'pages')}">${icon('list-unordered')}All pages</a>
<a class="button secondary small" href="${addressIn(visit, project, 'wiki_history', slug)}">${icon('history')}History</a>${
    canWriteWiki &&
    html` <a class="button secondary small" href="${addressIn(visit, project, 'wikis', slug)}/edit">${icon('pencil')}Edit</a>
${newPageLink(visit, project)}`
  }</div></div>
${
  sidebar
    ? html`<div class="columns"><div>${await textOf(visit, project, wikiPage)}</div>${sidebar}</div>`
    : await textOf(visit, project, wikiPage)
}`;
  return projectPage(visit, project, 'wikis', title, main);
};

const pageOrNull = async (visit: Visit, project: Project, slug: string) =>
  (await orMissing(visit.ask(pageDocument, { project: String(project.id), slug })))?.wikiPage ??
  null;

/** Leads writers to the form of a new page. The home page of a new wiki does not exist yet. */
async function missingPage(
  visit: Visit,
  project: Project,
  slug: string,
  canWriteWiki: boolean,
): Promise<Answer> {
  const isHome = slug === 'home';
  if (!isHome && !canWriteWiki) throw pathNotFound();
  const address = addressIn(visit, project, 'wikis', 'new');
  const create =
    canWriteWiki &&
    html`<a class="button" href="${address}?${new URLSearchParams({ title: slug }).toString()}">${isHome ? 'Create the first page' : 'Create this page'}</a>`;
  const history = isHome ? null : await historyLink(visit, project, slug);
  const main = html`<h1>${isHome ? 'Wiki' : slug}</h1>
${
  isHome
    ? emptyState(
        'This wiki has no home page yet',
        'A wiki keeps the documents of a project beside its code.',
        create || null,
      )
    : emptyState('This page does not exist yet', 'You can write it.', create || null)
}
<p><a href="${addressIn(visit, project, 'wikis', 'pages')}">All pages</a>${history}</p>`;
  return { ...projectPage(visit, project, 'wikis', 'Wiki', main), status: isHome ? 200 : 404 };
}

/** A link to the versions of a page that was deleted or renamed. */
async function historyLink(visit: Visit, project: Project, slug: string): Promise<Html | null> {
  const variables = { project: String(project.id), slug };
  const former = await orMissing(visit.ask(formerDocument, variables));
  if (!former) return null;
  const address = addressIn(visit, project, 'wiki_history', former.wikiPageHistory.slug);
  return html` · <a href="${address}">Former versions of this page</a>`;
}

/** The slug of the home page: `home`, in any case. */
async function firstPage(visit: Visit, project: Project): Promise<string> {
  const slugs = (await pagesOf(visit, project)).map(({ slug }) => slug);
  const named = slugs.filter((slug) => slug.toLowerCase() === 'home');
  return named.includes('home') ? 'home' : (named[0] ?? 'home');
}

type WikiPage = NonNullable<ResultOf<typeof pageDocument>['wikiPage']>;

/** The text of a page, rendered if it is Markdown. */
export async function textOf(
  visit: Visit,
  project: Project,
  { slug, format, content }: WikiPage,
): Promise<Html> {
  if (content.length > largestShown)
    return html`<p class="quiet">This page is too large to show.</p>`;
  return format === 'markdown'
    ? markdown(visit, content, wikiLinking(visit, project, slug))
    : plain(content);
}
