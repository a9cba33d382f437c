import { setTimeout as wait } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { refusal } from '../../../schema/client/execute.ts';
import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Visit } from '../kernel/page.ts';
import { commitFields, commitLine, type Location } from './location.ts';

/** Milliseconds that a page waits for a search of the history, which takes up to 5 s. */
const patience = 500;

/** The result of a search of the history; null if the page should rather be shown without it. */
export const inTime = <Result>(search: Promise<Result>): Promise<Result | null> => {
  const over = new AbortController();
  const late = wait(patience, null, { signal: over.signal, ref: false }).catch(() => null);
  const found = search.catch((error: unknown) => {
    // the history is damaged, the file or folder may not be
    if (refusal(error)?.reason === 'outage') return null;
    throw error;
  });
  return Promise.race([found, late]).finally(() => over.abort());
};

const tip = graphql(
  `query TipCommit($project: ID!, $commit: String!) {
    repository(project: $project) { commit(ref: $commit) { ...CommitRowFields } }
  }`,
  [commitFields],
);

const last = graphql(
  `query LastCommit($project: ID!, $address: String!) {
    repository(project: $project) {
      location(address: $address) { entry { lastCommit { id title author { name at } } } }
    }
  }`,
);

type LastCommit = ResultOf<typeof last>['repository']['location']['entry'];

const mostKept = 5_000;

/** Last commits of paths by their place in a commit, where they never change. */
const kept = new LRUCache<string, NonNullable<NonNullable<LastCommit>['lastCommit']>>({
  max: mostKept,
});

/** The last commit of a place that the user may see: only that of a root has a status, which changes. */
async function commitAt(visit: Visit, { id }: Project, { commitId, path }: Location) {
  const project = String(id);
  if (path === '') {
    return (await visit.ask(tip, { project, commit: commitId })).repository.commit;
  }
  const key = `${id}:${commitId}:${path}`;
  const existing = kept.get(key);
  if (existing) return existing;
  const { repository } = await visit.ask(last, { project, address: `${commitId}/${path}` });
  const commit = repository.location.entry?.lastCommit ?? null;
  if (commit) kept.set(key, commit);
  return commit;
}

/**
 * The bar with the last commit of a file or folder. In a history that takes long to search it is
 * loaded by a script from `?fragment=commit` of the page at `word`.
 */
export async function latestCommit(
  visit: Visit,
  project: Project,
  location: Location,
  word: 'blob' | 'tree',
): Promise<Html> {
  const search = commitAt(visit, project, location);
  const isPart = visit.query.fragment === 'commit';
  const answer = search.then((commit) => ({ commit }));
  const result = isPart ? await answer : await inTime(answer);
  const { ref, path } = location;
  const history = html`<a class="quiet" href="${addressIn(visit, project, 'commits', ref, path)}">${icon('history')} History</a>`;
  if (result === null) {
    const address = `${addressIn(visit, project, word, ref, path)}?fragment=commit`;
    return html`<div class="latest" data-replace="${address}">${history}</div>`;
  }
  const { commit } = result;
  return html`<div class="latest">${commit && commitLine(visit, project, commit)}${history}</div>`;
}
