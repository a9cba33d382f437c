import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { statusMark } from '../ci/ci.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { authorName } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';
import { refMenu } from './ref-menu.ts';

export const locationFields = graphql(`
  fragment LocationFields on Location {
    ref isBranch commitId path size entry { id name type mode }
  }
`);

export type Location = ResultOf<typeof locationFields>;

/** The fields of a commit in a list. */
export const commitFields = graphql(`
  fragment CommitRowFields on Commit { id title status author { name at } }
`);

interface CommitRow extends Omit<ResultOf<typeof commitFields>, 'status'> {
  /** Absent where commits are kept: it changes. */
  readonly status?: ResultOf<typeof commitFields>['status'];
}

/** One commit in a line: title, author, date and status. */
export const commitLine = (
  visit: Visit,
  project: Pick<Project, 'fullPath' | 'access'>,
  { id, title, status, author }: CommitRow,
): Html =>
  html`<span class="commit"><a href="${addressIn(visit, project, 'commit', id)}">${title}</a>
<span class="quiet">${authorName(author.name)} · ${when(author.at)}
· <code>${id.slice(0, 8)}</code></span>${status && project.access.canSeePipelines && html` ${statusMark(status)}`}</span>`;

type Place = Pick<Location, 'ref' | 'path'>;

/** The breadcrumb of a path, with links to its folders. */
export function pathTrail(visit: Visit, project: Project, { ref, path }: Place): Html {
  const parts = path === '' ? [] : path.split('/');
  const steps = parts.map((name, place) => {
    const isLast = place === parts.length - 1;
    const address = addressIn(visit, project, 'tree', ref, parts.slice(0, place + 1).join('/'));
    return html`<li>${isLast ? html`<strong>${name}</strong>` : html`<a href="${address}">${name}</a>`}</li>`;
  });
  const root = project.fullPath.slice(project.fullPath.lastIndexOf('/') + 1);
  return html`<nav class="trail" aria-label="Path"><ol>
<li><a href="${addressIn(visit, project, 'tree', ref)}">${root}</a></li>${steps}
</ol></nav>${path !== '' && html`<span hidden data-copy="the path">${path}</span>`}`;
}

/** Where a page of files is: the branch or tag, which can be switched, and the path; then buttons. */
export const placeBar = (
  visit: Visit,
  project: Project,
  word: string,
  place: Place,
  buttons: Html | null = null,
): Html => html`<div class="bar place-bar">
<div class="row">${refMenu(visit, project, { ...place, word })}${pathTrail(visit, project, place)}</div>
${buttons && html`<div class="row">${buttons}</div>`}
</div>`;
