import { graphql } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';

/** How many pages the sidebar lists. */
const mostPages = 25;

const pagesDocument = graphql(`
  query WikiSidebar($project: ID!, $perPage: Int!) {
    project(id: $project) { wiki { pages(perPage: $perPage) { total nodes { slug title } } } }
  }
`);

/** The first pages of the wiki beside the page `current`; null if there are no others. */
export async function wikiSidebar(
  visit: Visit,
  project: Project,
  current: string,
): Promise<Html | null> {
  const variables = { project: String(project.id), perPage: mostPages };
  const { wiki } = (await visit.ask(pagesDocument, variables)).project;
  if (!wiki || wiki.pages.total < 2) return null;
  const { nodes, total } = wiki.pages;
  const rows = nodes.map(({ slug, title }) => {
    const folder = slug.includes('/') && html` <span class="quiet">${slug}</span>`;
    return html`<li><a href="${addressIn(visit, project, 'wikis', slug)}"${slug === current && html` aria-current="page"`}>${title}</a>${folder}</li>`;
  });
  return html`<aside aria-label="Pages of the wiki"><section><h2>Pages</h2>
<ul class="plain">${rows}</ul>
${total > nodes.length && html`<p><a href="${addressIn(visit, project, 'wikis', 'pages')}">Show all ${total} pages</a></p>`}
</section></aside>`;
}
