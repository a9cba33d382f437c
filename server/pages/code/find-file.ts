import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { placeBar } from './location.ts';

/** Files that are listed. */
const most = 100;

const paths = graphql(
  `query FoundFiles($project: ID!, $ref: String!, $search: String!) {
    repository(project: $project) { filePaths(ref: $ref, search: $search) }
  }`,
);

/** The files of a ref whose paths contain the words of `?search=`; `?fragment=1`: the list alone. */
export const findFile: ProjectPage = async (visit, project, rest) => {
  const ref = rest === '' ? project.defaultBranch : rest;
  if (ref === null) throw pathNotFound();
  const { search = '', fragment } = visit.query;
  const variables = { project: String(project.id), ref, search };
  const { filePaths } = (await visit.ask(paths, variables)).repository;
  const list = listOf(visit, project, ref, filePaths);
  if (fragment === '1') return { fragment: list };
  const address = addressIn(visit, project, 'find_file', ref);
  const main = html`<h1 class="unseen">Find a file of ${ref}</h1>
${placeBar(visit, project, 'find_file', { ref, path: '' })}
<form method="get" action="${address}" class="filters" data-live>
<p class="field"><label for="search">Find a file by words of its path</label>
<input id="search" type="search" name="search" value="${search}" autocomplete="off" autofocus></p>
<button>Find</button>
<div class="found" data-live-results>${list}</div>
</form>`;
  return projectPage(visit, project, 'tree', `Find a file of ${ref}`, main);
};

function listOf(visit: Visit, project: Project, ref: string, found: readonly string[]): Html {
  if (found.length === 0) return html`<p class="quiet">No file has these words in its path.</p>`;
  const isCut = found.length > most;
  return html`<ul class="choose">${found
    .slice(0, most)
    .map(
      (path) =>
        html`<li><a href="${addressIn(visit, project, 'blob', ref, path)}">${path}</a></li>`,
    )}</ul>
${isCut && html`<p class="quiet">There are more: enter another word.</p>`}`;
}
