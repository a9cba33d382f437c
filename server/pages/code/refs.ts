import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Visit } from '../kernel/page.ts';

/** Branches, and tags, that are listed; a search finds the others. */
const most = 20;

const refs = graphql(
  `query FoundRefs($project: ID!, $search: String!, $most: Int!) {
    repository(project: $project) {
      branches(filter: { search: $search }, perPage: $most) { total nodes { name } }
      tags(filter: { search: $search }, perPage: $most) { total nodes { name } }
    }
  }`,
);

/** The pages that a branch or tag can be chosen for. */
const words = new Set(['tree', 'blob', 'blame', 'commits', 'find_file']);

/**
 * The branches and tags whose names contain `?search=`, as links to the page `?word=` and the path
 * `?path=` there; `?fragment=1` gives the lists alone. `switch` redirects to the ref `?id=`.
 */
export const showRefs: ProjectPage = async (visit, project, rest) => {
  const { search = '', path = '', fragment, id = '', destination } = visit.query;
  const word = words.has(visit.query.word ?? '') ? String(visit.query.word) : 'tree';
  if (rest === 'switch') {
    const target = words.has(destination ?? '') ? String(destination) : 'tree';
    return {
      redirect: addressIn(visit, project, target, id || String(project.defaultBranch), path),
    };
  }
  if (rest !== '') throw pathNotFound();
  const variables = { project: String(project.id), search, most };
  const { branches, tags } = (await visit.ask(refs, variables)).repository;
  const place = { word, path };
  const lists = html`${listOf(visit, project, 'Branches', branches, place)}
${listOf(visit, project, 'Tags', tags, place)}`;
  if (fragment === '1') return { fragment: lists };
  const main = html`<h1>Switch branch or tag</h1>
<form method="get" action="${addressIn(visit, project, 'refs')}" class="filters">
<input type="hidden" name="word" value="${word}"><input type="hidden" name="path" value="${path}">
<p class="field"><label for="search">Name</label><input id="search" type="search" name="search" value="${search}"></p>
<button>Find</button></form>
${lists}`;
  return projectPage(visit, project, 'tree', 'Switch branch or tag', main);
};

interface Found {
  readonly total: number;
  readonly nodes: readonly { readonly name: string }[];
}

function listOf(
  visit: Visit,
  project: Project,
  title: string,
  { total, nodes }: Found,
  { word, path }: { readonly word: string; readonly path: string },
): Html {
  const symbol = icon(title === 'Tags' ? 'tag' : 'git-branch');
  const more = total - nodes.length;
  return html`<h2 class="list-title">${title}</h2>
${
  nodes.length === 0
    ? html`<p class="quiet">None found.</p>`
    : html`<ul class="choose">${nodes.map(
        ({ name }) =>
          html`<li><a href="${addressIn(visit, project, word, name, path)}">${symbol}${name}</a></li>`,
      )}</ul>`
}
${more > 0 && html`<p class="quiet">${more} more: enter a part of the name.</p>`}`;
}
