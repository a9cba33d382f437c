import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { statusMark } from '../ci/ci.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { when } from '../kernel/times.ts';

export const locationFields = graphql(`
  fragment LocationFields on Location { ref commitId path size entry { id name type mode } }
`);

export type Location = ResultOf<typeof locationFields>;

/** The fields of a commit in a list. */
export const commitFields = graphql(`
  fragment CommitRowFields on Commit { id title status author { name at } }
`);

type CommitRow = ResultOf<typeof commitFields>;

/** One commit in a line: title, author, date and status. */
export const commitLine = (
  visit: Visit,
  project: Pick<Project, 'fullPath' | 'access'>,
  { id, title, status, author }: CommitRow,
): Html =>
  html`<span class="commit"><a href="${addressIn(visit, project, 'commit', id)}">${title}</a>
<span class="quiet">${author.name} · ${when(author.at)}
· <code>${id.slice(0, 8)}</code></span>${status && project.access.canSeePipelines && html` ${statusMark(status)}`}</span>`;

/** The breadcrumb of a path, with links to its folders. */
export function pathTrail(visit: Visit, project: Project, { ref, path }: Location): Html {
  const parts = path === '' ? [] : path.split('/');
  const steps = parts.map((name, place) => {
    const isLast = place === parts.length - 1;
    const address = addressIn(visit, project, 'tree', ref, parts.slice(0, place + 1).join('/'));
    return html`<li>${isLast ? html`<span>${name}</span>` : html`<a href="${address}">${name}</a>`}</li>`;
  });
  return html`<nav class="trail" aria-label="Path"><ol>
<li><a href="${addressIn(visit, project, 'tree', ref)}">${ref}</a></li>${steps}
</ol></nav>`;
}
