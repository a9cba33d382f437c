import { LRUCache } from 'lru-cache';
import { graphql, type ResultOf, type VariablesOf } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { parentOf } from '../kernel/addresses.ts';
import { type Html, html } from '../kernel/html.ts';
import { type IconName, icon } from '../kernel/icons.ts';
import { bytes } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { when } from '../kernel/times.ts';
import type { Location } from './location.ts';

export const treeEntryFields = graphql(`
  fragment BrowsedTreeEntryFields on TreeEntry { id name path type mode size }
`);

type Entry = ResultOf<typeof treeEntryFields>;

const history = graphql(
  `query LastCommits($project: ID!, $ref: String!, $path: String!, $page: Int!, $perPage: Int!) {
    repository(project: $project) {
      tree(ref: $ref, path: $path, page: $page, perPage: $perPage) {
        nodes { path lastCommit { id title author { at } } }
      }
    }
  }`,
);

const mostKept = 500;

/** Pages of last commits by their place in a commit, where they never change, if all were found. */
const kept = new LRUCache<string, Commits>({ max: mostKept });

type Dated = ResultOf<typeof history>['repository']['tree']['nodes'][number];
type Commits = ReadonlyMap<string, Dated['lastCommit']>;

/**
 * The last commits of a page of entries, by path. One walk of the history finds them all. Only for
 * users who may see the entries.
 */
export async function lastCommits(
  visit: Visit,
  variables: VariablesOf<typeof history>,
): Promise<Commits> {
  const key = Object.values(variables).join(':');
  const existing = kept.get(key);
  if (existing) return existing;
  const { nodes } = (await visit.ask(history, variables)).repository.tree;
  const commits = new Map(nodes.map(({ path, lastCommit }) => [path, lastCommit]));
  if (nodes.every(({ lastCommit }) => lastCommit !== null)) kept.set(key, commits);
  return commits;
}

interface Rows {
  readonly location: Location;
  readonly entries: readonly Entry[];
  /** Null: they are not known yet. */
  readonly commits: Commits | null;
  /** Where a script finds the rows with their last commits. */
  readonly later: string | null;
}

/** The entries of a folder, with the last commit and the size of each. */
export const fileRows = (
  visit: Visit,
  project: Project,
  { location: { ref, path }, entries, commits, later }: Rows,
): Html => html`<table class="files" aria-label="Files"${later && html` data-replace="${later}"`}>
<thead class="unseen"><tr><th scope="col">Name</th><th scope="col">Last commit</th><th scope="col">Size</th><th scope="col">Changed</th></tr></thead>
<tbody>
${path !== '' && html`<tr><th scope="row"><a class="folder" href="${addressIn(visit, project, 'tree', ref, parentOf(path))}" aria-label="Parent folder">${icon('file-directory-fill')}..</a></th><td></td><td></td><td></td></tr>`}
${entries.map((entry) => {
  const commit = commits?.get(entry.path);
  return html`<tr><th scope="row">${entryLink(visit, project, ref, entry)}</th>
<td>${commit && html`<a href="${addressIn(visit, project, 'commit', commit.id)}">${commit.title}</a>`}</td>
<td>${entry.size !== null && bytes(entry.size)}</td>
<td>${commit && when(commit.author.at)}</td></tr>`;
})}
</tbody></table>`;

const symbolicLink = '120000';

function entryLink(visit: Visit, project: Project, ref: string, entry: Entry): Html {
  const { id, name, path, type, mode } = entry;
  if (type === 'commit') {
    return html`<span class="module">${icon('file-submodule')}${name} <span class="quiet">at <code>${id.slice(0, 8)}</code></span></span>`;
  }
  if (type === 'tree') {
    return html`<a class="folder" href="${addressIn(visit, project, 'tree', ref, path)}">${icon('file-directory-fill')}${name}/</a>`;
  }
  const symbol: IconName = mode === symbolicLink ? 'file-symlink-file' : 'file';
  return html`<a class="file" href="${addressIn(visit, project, 'blob', ref, path)}">${icon(symbol)}${name}</a>`;
}
