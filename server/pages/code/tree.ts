import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import { pageOf, pager } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { menu } from '../kernel/parts.ts';
import { archiveMenu } from './archive.ts';
import { fileButtons } from './file-bar.ts';

import { fileRows, lastCommits, treeEntryFields } from './file-rows.ts';
import { inTime, latestCommit } from './latest-commit.ts';
import { locationFields, placeBar } from './location.ts';
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

type Folder = ResultOf<typeof folderFields>;

const locationDocument = graphql(
  `query BrowsedFolder($project: ID!, $address: String!) {
    repository(project: $project) { location(address: $address) { ...FolderFields } }
  }`,
  [folderFields],
);

const folder = graphql(
  `query BrowsedTree($project: ID!, $ref: String!, $path: String!, $page: Int!, $perPage: Int!) {
    repository(project: $project) {
      tree(ref: $ref, path: $path, page: $page, perPage: $perPage) {
        total nodes { ...BrowsedTreeEntryFields }
      }
    }
  }`,
  [treeEntryFields],
);

/** A folder at a ref: `<ref>` or `<ref>/<path>`; `?fragment=` gives a part of the page alone. */
export const showTree: ProjectPage = async (visit, project, rest): Promise<Answer> => {
  if (rest === '') {
    const ref = project.defaultBranch;
    return { redirect: addressIn(visit, project, ...(ref === null ? [] : ['tree', ref])) };
  }
  const { repository } = await visit.ask(locationDocument, {
    project: String(project.id),
    address: rest,
  });
  const { location } = repository;
  const { ref, path, entry } = location;
  if (path !== '' && entry?.type === 'blob') {
    return { redirect: addressIn(visit, project, 'blob', ref, path) };
  }
  if (path !== '' && entry?.type !== 'tree') throw pathNotFound();
  switch (visit.query.fragment) {
    case 'commit':
      return { fragment: await latestCommit(visit, project, location, 'tree') };
    case 'files':
      return { fragment: (await filesOf(visit, project, location)).list };
  }
  const main = html`<h1 class="unseen">Files of ${ref}</h1>
${await folderOf(visit, project, location)}`;
  return projectPage(visit, project, 'tree', path === '' ? ref : path, main);
};

/** The entries of a folder, with its latest commit and its README; `more` follows the buttons. */
export async function folderOf(
  visit: Visit,
  project: Project,
  location: Folder,
  more: Html | null = null,
): Promise<Html> {
  const { ref, path, readme } = location;
  const [{ list, total, page }, latest] = await Promise.all([
    filesOf(visit, project, location),
    latestCommit(visit, project, location, 'tree'),
  ]);
  const buttons = html`${fileButtons(visit, project, location, 'tree')}
${location.isBranch && project.access.canPush && addMenu(visit, project, location)}
${archiveMenu(visit, project, ref)}${more}`;
  return html`${placeBar(visit, project, 'tree', location, buttons)}
${latest}
${list}
${pager({ address: addressIn(visit, project, 'tree', ref, path), page, total, size: treeSize })}
${readme && (await readmeOf(visit, project, { ...readme, ref }))}`;
}

/** What users who push can add to a folder. */
const addMenu = (visit: Visit, project: Project, { ref, path }: Folder): Html =>
  menu(
    html`${icon('plus')}Add${icon('chevron-down')}`,
    html`<a href="${addressIn(visit, project, 'new', ref, path)}">New file</a>
<a href="${addressIn(visit, project, 'upload', ref, path)}">Upload file</a>`,
    'Add to this folder',
  );

/** A page of a folder. A script loads the last commits if their search takes long. */
async function filesOf(visit: Visit, project: Project, location: Folder) {
  const { ref, path, commitId } = location;
  const page = pageOf(visit);
  const variables = { project: String(project.id), ref: commitId, path, page, perPage: treeSize };
  const search = lastCommits(visit, variables);
  const [{ repository }, commits] = await Promise.all([
    visit.ask(folder, variables),
    visit.query.fragment === 'files' ? search : inTime(search),
  ]);
  const { total, nodes } = repository.tree;
  const address = addressIn(visit, project, 'tree', ref, path);
  const later = commits === null ? `${address}?fragment=files&page=${page}` : null;
  const list = fileRows(visit, project, { location, entries: nodes, commits, later });
  return { list, total, page };
}
