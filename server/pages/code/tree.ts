import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { parentOf } from '../kernel/addresses.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import { pageOf, pager } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { commitFields, commitLine, locationFields, pathTrail } from './location.ts';
import { readmeOf } from './readme.ts';

/** Entries of a folder on a page. */
const treeSize = 50;

export const folderFields = graphql(
  `fragment FolderFields on Location {
    ...LocationFields
    readme { name path size blobId }
  }`,
  [locationFields],
);

const locationDocument = graphql(
  `query BrowsedFolder($project: ID!, $address: String!) {
    repository(project: $project) { location(address: $address) { ...FolderFields } }
  }`,
  [folderFields],
);

const folder = graphql(
  `query BrowsedTree($project: ID!, $ref: String!, $path: String!, $page: Int!, $perPage: Int!) {
    repository(project: $project) {
      tree(ref: $ref, path: $path, page: $page, perPage: $perPage) { total nodes { id name path type } }
      commit(ref: $ref) { ...CommitRowFields }
    }
  }`,
  [commitFields],
);

/** A folder at a ref: `<ref>` or `<ref>/<path>`. */
export const showTree: ProjectPage = async (visit, project, rest): Promise<Answer> => {
  if (rest === '') {
    const ref = project.defaultBranch;
    return { redirect: addressIn(visit, project, ...(ref === null ? [] : ['tree', ref])) };
  }
  const { repository } = await visit.ask(locationDocument, {
    project: String(project.id),
    address: rest,
  });
  const { ref, path, entry } = repository.location;
  if (path !== '' && entry?.type === 'blob') {
    return { redirect: addressIn(visit, project, 'blob', ref, path) };
  }
  if (path !== '' && entry?.type !== 'tree') throw pathNotFound();
  const name = path === '' ? ref : path;
  const main = html`<h1>Files of ${ref}</h1>
${pathTrail(visit, project, repository.location)}
${await folderOf(visit, project, repository.location)}`;
  return projectPage(visit, project, 'tree', name, main);
};

/** The entries of a folder, with its latest commit and its README. */
export async function folderOf(
  visit: Visit,
  project: Project,
  location: ResultOf<typeof folderFields>,
): Promise<Html> {
  const { ref, path, commitId, readme } = location;
  const page = pageOf(visit);
  const variables = { project: String(project.id), ref: commitId, path, page, perPage: treeSize };
  const { tree, commit } = (await visit.ask(folder, variables)).repository;
  const history = addressIn(visit, project, 'commits', ref, path);
  return html`<p class="latest">${commitLine(visit, project, commit)} <a href="${history}">History</a></p>
<ul class="files" aria-label="Files">
${up(visit, project, location)}
${tree.nodes.map((entry) => html`<li>${entryLink(visit, project, ref, entry)}</li>`)}
</ul>
${pager({ address: addressIn(visit, project, 'tree', ref, path), page, total: tree.total, size: treeSize })}
${readme && (await readmeOf(visit, project, { ...readme, ref }))}`;
}

function up(visit: Visit, project: Project, { ref, path }: { ref: string; path: string }) {
  if (path === '') return null;
  return html`<li><a class="folder" href="${addressIn(visit, project, 'tree', ref, parentOf(path))}" aria-label="Parent folder">..</a></li>`;
}

type Entry = ResultOf<typeof folder>['repository']['tree']['nodes'][number];

function entryLink(visit: Visit, project: Project, ref: string, entry: Entry): Html {
  const { id, name, path, type } = entry;
  if (type === 'commit') {
    return html`<span class="module">${icon('file-submodule')}${name} <span class="quiet">at <code>${id.slice(0, 8)}</code></span></span>`;
  }
  const isFolder = type === 'tree';
  const address = addressIn(visit, project, isFolder ? 'tree' : 'blob', ref, path);
  return html`<a class="${isFolder ? 'folder' : 'file'}" href="${address}">${icon(isFolder ? 'file-directory-fill' : 'file')}${name}${isFolder && '/'}</a>`;
}
