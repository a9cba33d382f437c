import { refusal } from '../../../schema/client/execute.ts';
import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { largestShown } from '../code/content.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { type Html, html } from '../kernel/html.ts';
import { entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { wikiLinking } from '../markdown/linking.ts';
import { markdown, plain } from '../markdown/markdown.ts';

const list = graphql(`query BrowsedWiki($project: ID!) { wikiPagesText(project: $project) }`);

const pageDocument = graphql(
  `query BrowsedWikiPage($project: ID!, $slug: String!) {
    wikiPage(project: $project, slug: $slug) { slug title format content }
  }`,
);

/** A page of the wiki by its slug, its first page without one, or `pages`: a list of all pages. */
export const showWiki: ProjectPage = async (visit, project, rest) => {
  if (rest === '') {
    return { redirect: addressIn(visit, project, 'wikis', await firstPage(visit, project)) };
  }
  if (rest === 'pages') return showPages(visit, project);
  const { wikiPage } = await visit
    .ask(pageDocument, { project: String(project.id), slug: rest })
    .catch((error: unknown) => {
      // the home page of a new wiki does not exist yet
      if (rest !== 'home' || refusal(error)?.code !== 'NOT_FOUND') throw error;
      return { wikiPage: null };
    });
  const main = html`<h1>${wikiPage?.title ?? 'Wiki'}</h1>
<p class="actions"><a href="${addressIn(visit, project, 'wikis', 'pages')}">All pages</a></p>
${wikiPage ? await textOf(visit, project, wikiPage) : html`<p class="quiet">This wiki has no home page yet.</p>`}`;
  return projectPage(visit, project, 'wikis', wikiPage?.title ?? 'Wiki', main);
};

/** The slug of the home page: `home`, in any case. */
async function firstPage(visit: Visit, project: Project): Promise<string> {
  const slugs = (await pagesOf(visit, project)).map(({ slug }) => slug);
  const named = slugs.filter((slug) => slug.toLowerCase() === 'home');
  return named.includes('home') ? 'home' : (named[0] ?? 'home');
}

type WikiPage = NonNullable<ResultOf<typeof pageDocument>['wikiPage']>;

async function textOf(
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

interface ListedPage {
  readonly slug: string;
  readonly title: string;
}

async function pagesOf(visit: Visit, project: Project): Promise<readonly ListedPage[]> {
  const { wikiPagesText } = await visit.ask(list, { project: String(project.id) });
  return JSON.parse(wikiPagesText) as readonly ListedPage[];
}

async function showPages(visit: Visit, project: Project): Promise<Answer> {
  const all = await pagesOf(visit, project);
  const page = pageOf(visit);
  const shown = all.slice((page - 1) * perPage, page * perPage);
  const rows = shown.map(
    ({ slug, title }) =>
      html`<a href="${addressIn(visit, project, 'wikis', slug)}">${title}</a>${
        slug.includes('/') && html` <span class="quiet">${slug}</span>`
      }`,
  );
  const main = html`<h1>Wiki pages</h1>
${entries(rows, 'There are no pages.')}
${pager({ address: addressIn(visit, project, 'wikis', 'pages'), page, total: all.length })}`;
  return projectPage(visit, project, 'wikis', 'Wiki', main);
}
