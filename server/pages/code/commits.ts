import { graphql, type ResultOf, type VariablesOf } from '../../../schema/client/graphql.ts';
import { statusMark } from '../ci/ci.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { avatar } from '../kernel/avatar.ts';
import { faultOf } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import { pageOf, perPage } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { authorName, personFields } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';
import { locationFields, placeBar } from './location.ts';
import { neighbours } from './neighbours.ts';
import { textSearch } from './text-search.ts';

const locationDocument = graphql(
  `query HistoryPlace($project: ID!, $address: String!) {
    repository(project: $project) { location(address: $address) { ...LocationFields } }
  }`,
  [locationFields],
);

const history = graphql(
  `query BrowsedCommits($project: ID!, $ref: String!, $filter: CommitFilter!, $page: Int!, $perPage: Int!) {
    repository(project: $project) {
      commits(ref: $ref, filter: $filter, page: $page, perPage: $perPage) {
        pageInfo { hasNextPage }
        nodes { id title status author { name at user { ...PersonFields } } committer { at } }
      }
    }
  }`,
  [personFields],
);

type Commit = ResultOf<typeof history>['repository']['commits']['nodes'][number];

/** The commits of a ref, `<ref>`, or of a file or folder, `<ref>/<path>`; `?search=` in messages. */
export const showCommits: ProjectPage = async (visit, project, rest) => {
  if (rest === '') {
    const ref = project.defaultBranch;
    return { redirect: addressIn(visit, project, ...(ref === null ? [] : ['commits', ref])) };
  }
  const variables = { project: String(project.id), address: rest };
  const { location } = (await visit.ask(locationDocument, variables)).repository;
  const { ref, path, commitId } = location;
  const page = pageOf(visit);
  const search = visit.query.search?.trim() ?? '';
  const filter = { path, ...(search !== '' && { search }) };
  const range = { project: String(project.id), ref: commitId, filter, page, perPage };
  const { nodes, hasNext, fault } = await found(visit, range);
  const address = addressIn(visit, project, 'commits', ref, path);
  const none = search === '' ? 'There are no commits for this path.' : 'No message has this text.';
  const main = html`<h1 class="unseen">Commits of ${path === '' ? ref : path}</h1>
${placeBar(visit, project, 'commits', location)}
${textSearch(address, { label: 'Text in the message', search, fault })}
${nodes.length === 0 ? fault === null && html`<p class="quiet">${none}</p>` : days(visit, project, nodes)}
${neighbours({ address, page, hasNext, query: search === '' ? {} : { search } })}`;
  const shown = projectPage(
    visit,
    project,
    'commits',
    `Commits of ${path === '' ? ref : path}`,
    main,
  );
  return fault === null ? shown : { ...shown, status: 422 };
};

interface Found {
  readonly nodes: readonly Commit[];
  readonly hasNext: boolean;
  readonly fault: string | null;
}

/** A page of the history, or why there cannot be one. */
async function found(visit: Visit, variables: VariablesOf<typeof history>): Promise<Found> {
  try {
    const { commits } = (await visit.ask(history, variables)).repository;
    return { nodes: commits.nodes, hasNext: commits.pageInfo.hasNextPage, fault: null };
  } catch (error) {
    const fault = faultText(faultOf(error, visit)?.fields ?? {}, 'search', 'Text');
    if (fault === null) throw error;
    return { nodes: [], hasNext: false, fault };
  }
}

/** The commits below the days on which they were committed. */
const days = (visit: Visit, project: Project, commits: readonly Commit[]): Html =>
  html`${[...Map.groupBy(commits, ({ committer }) => committer.at.slice(0, 10))].map(
    ([date, ofDay]) => html`<h2 class="day"><time datetime="${date}">${dayName(date)}</time></h2>
<ul class="entries">${ofDay.map((commit) => html`<li>${rowOf(visit, project, commit)}</li>`)}</ul>`,
  )}`;

const inWords = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

const dayName = (date: string): string => inWords.format(new Date(`${date}T00:00:00Z`));

function rowOf(visit: Visit, project: Project, { id, title, status, author }: Commit): Html {
  const { user } = author;
  const name = authorName(author.name);
  const short = id.slice(0, 8);
  return html`<div class="bar"><div class="commit-row">${avatar({ name, avatarUrl: user?.avatarUrl ?? null })}
<div class="commit"><a href="${addressIn(visit, project, 'commit', id)}">${title}</a>${status && project.access.canSeePipelines && html` ${statusMark(status)}`}
<span class="quiet">${user ? html`<a href="${visit.url(`/${encodeURIComponent(user.username)}`)}">${name}</a>` : name} · ${when(author.at)}</span></div></div>
<div class="row"><code>${short}</code><span hidden data-copy="commit id ${short}">${id}</span>
<a class="button small" href="${addressIn(visit, project, 'tree', id)}" aria-label="Browse files at ${short}" title="Browse files">${icon('code')}</a></div></div>`;
}
