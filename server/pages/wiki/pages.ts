import { graphql } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import { entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { wikiAccess } from './access.ts';

const list = graphql(`query BrowsedWiki($project: ID!) { wikiPagesText(project: $project) }`);

/** The button that leads to the form of a new page. */
export const newPageLink = (visit: Visit, project: Project): Html =>
  html`<a class="button small" href="${addressIn(visit, project, 'wikis', 'new')}">${icon('plus')}New page</a>`;

interface ListedPage {
  readonly slug: string;
  readonly title: string;
}

/** All pages of the wiki, by slug. */
export async function pagesOf(visit: Visit, project: Project): Promise<readonly ListedPage[]> {
  const { wikiPagesText } = await visit.ask(list, { project: String(project.id) });
  return JSON.parse(wikiPagesText) as readonly ListedPage[];
}

/** The list of all pages. */
export async function showPages(visit: Visit, project: Project): Promise<Answer> {
  const all = await pagesOf(visit, project);
  const page = pageOf(visit);
  const shown = all.slice((page - 1) * perPage, page * perPage);
  const rows = shown.map(
    ({ slug, title }) =>
      html`<a href="${addressIn(visit, project, 'wikis', slug)}">${title}</a>${
        slug.includes('/') && html` <span class="quiet">${slug}</span>`
      }`,
  );
  const { canWriteWiki } = await wikiAccess(visit, project);
  const main = html`<div class="bar"><h1>Wiki pages</h1>${canWriteWiki && newPageLink(visit, project)}</div>
${entries(rows, 'There are no pages.')}
${pager({ address: addressIn(visit, project, 'wikis', 'pages'), page, total: all.length })}`;
  return projectPage(visit, project, 'wikis', 'Wiki', main);
}
