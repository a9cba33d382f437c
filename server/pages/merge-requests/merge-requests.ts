import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { pipelineLink, pipelineLinkFields } from '../ci/ci.ts';
import { changes, diffFields } from '../code/diff.ts';
import { commitFields, commitLine } from '../code/location.ts';
import { discussionOf } from '../discussions/discussion.ts';
import { showDiscussionPart, submitToDiscussion } from '../discussions/parts.ts';
import type { DiscussionPlace } from '../discussions/place.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { numberIn, splitFirst } from '../kernel/addresses.ts';
import { type Html, html } from '../kernel/html.ts';
import { badges, choices, entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { person, personFields } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';
import { textLinking } from '../markdown/linking.ts';
import { markdown } from '../markdown/markdown.ts';

const list = graphql(
  `query BrowsedMergeRequests(
    $project: ID!, $filter: MergeRequestFilter!, $page: Int!, $perPage: Int!
  ) {
    projectMergeRequests(project: $project, filter: $filter, page: $page, perPage: $perPage) {
      total nodes {
        iid title state labels: labelNames createdAt sourceBranch targetBranch author { ...PersonFields }
      }
    }
  }`,
  [personFields],
);

const mergeRequestDocument = graphql(
  `query BrowsedMergeRequest($project: ID!, $iid: Int!) {
    mergeRequest(project: $project, iid: $iid) {
      iid title description state labels: labelNames createdAt sourceBranch targetBranch canComment
      canUpdate
      milestone { title } author { ...PersonFields } assignee { ...PersonFields }
      lastPipeline { ...PipelineLinkFields }
    }
  }`,
  [personFields, pipelineLinkFields],
);

const commits = graphql(
  `query BrowsedMergeRequestCommits($project: ID!, $iid: Int!, $page: Int!, $perPage: Int!) {
    mergeRequest(project: $project, iid: $iid) {
      commits(page: $page, perPage: $perPage) { total nodes { ...CommitRowFields } }
    }
  }`,
  [commitFields],
);

const diffs = graphql(
  `query BrowsedMergeRequestChanges($project: ID!, $iid: Int!) {
    mergeRequest(project: $project, iid: $iid) { diffs { ...BrowsedDiffFields } }
  }`,
  [diffFields],
);

const states = ['opened', 'merged', 'closed', 'all'] as const;

/** The merge requests of a project, or one by its iid, with `commits` and `diffs` below it. */
export const showMergeRequests: ProjectPage = async (visit, project, rest) => {
  if (rest === '') return showList(visit, project);
  const [number, part] = splitFirst(rest);
  const place = placeOf(visit, project, numberIn(number));
  const shown = await showDiscussionPart(visit, place, part);
  return shown ?? showMergeRequest(visit, project, numberIn(number), part);
};

/** Handles the forms of a merge request. */
export const submitToMergeRequests: ProjectPage = async (visit, project, rest) => {
  const [number, part] = splitFirst(rest);
  const place = placeOf(visit, project, numberIn(number));
  const answer = await submitToDiscussion(visit, place, part);
  if (!answer) throw pathNotFound();
  return answer;
};

const placeOf = (visit: Visit, project: Project, iid: number): DiscussionPlace => ({
  subject: { mergeRequest: { project: String(project.id), iid } },
  project,
  address: addressIn(visit, project, 'merge_requests', String(iid)),
  section: 'merge_requests',
  name: `!${iid}`,
});

async function showList(visit: Visit, project: Project): Promise<Answer> {
  const state = states.find((name) => name === visit.query.state) ?? 'opened';
  const page = pageOf(visit);
  const filter = state === 'all' ? {} : { state };
  const variables = { project: String(project.id), filter, page, perPage };
  const { total, nodes } = (await visit.ask(list, variables)).projectMergeRequests;
  const address = addressIn(visit, project, 'merge_requests');
  const rows = nodes.map(
    (
      mergeRequest,
    ) => html`<a class="name" href="${addressIn(visit, project, 'merge_requests', String(mergeRequest.iid))}">${mergeRequest.title}</a>${badges(mergeRequest.labels)}
<span class="quiet">!${mergeRequest.iid} · ${mergeRequest.state} · ${mergeRequest.sourceBranch} → ${mergeRequest.targetBranch} · ${person(visit, mergeRequest.author)} · ${when(mergeRequest.createdAt)}</span>`,
  );
  const options = states.map((name) => [name, `${address}?state=${name}`] as const);
  const main = html`<h1>Merge requests</h1>
${choices('State', options, state)}
${entries(rows, 'No merge requests match this filter.')}
${pager({ address, page, total, query: { state } })}`;
  return projectPage(visit, project, 'merge_requests', 'Merge requests', main);
}

async function showMergeRequest(
  visit: Visit,
  project: Project,
  iid: number,
  part: string,
): Promise<Answer> {
  const { mergeRequest } = await visit.ask(mergeRequestDocument, {
    project: String(project.id),
    iid,
  });
  const { title, state, author, assignee, milestone, sourceBranch, targetBranch } = mergeRequest;
  const { lastPipeline } = mergeRequest;
  const at = (...below: readonly string[]) =>
    addressIn(visit, project, 'merge_requests', String(iid), ...below);
  const views = [
    ['Discussion', at()],
    ['Commits', at('commits')],
    ['Changes', at('diffs')],
  ] as const;
  const [name, shown] = await viewOf(visit, project, { ...mergeRequest, part });
  const main = html`<h1>${title} <span class="number">!${iid}</span></h1>
<p><span class="badge">${state}</span>${badges(mergeRequest.labels)}
<span class="quiet">${person(visit, author)} · ${when(mergeRequest.createdAt)}</span></p>
<dl class="traits">
<dt>Merges</dt><dd><code>${sourceBranch}</code> into <code>${targetBranch}</code></dd>
${assignee && html`<dt>Assignee</dt><dd>${person(visit, assignee)}</dd>`}
${milestone && html`<dt>Milestone</dt><dd>${milestone.title}</dd>`}
${lastPipeline && html`<dt>Pipeline</dt><dd>${pipelineLink(visit, lastPipeline)}</dd>`}
</dl>
${choices('Parts of the merge request', views, name)}
${shown}`;
  return projectPage(visit, project, 'merge_requests', `${title} (!${iid})`, main);
}

interface Viewed {
  readonly iid: number;
  readonly state: string;
  readonly canComment: boolean;
  readonly canUpdate: boolean;
  readonly description: string | null;
  readonly part: string;
}

async function viewOf(
  visit: Visit,
  project: Project,
  { iid, description, part, state, canComment, canUpdate }: Viewed,
): Promise<readonly [string, Html]> {
  const variables = { project: String(project.id), iid };
  const address = addressIn(visit, project, 'merge_requests', String(iid), part);
  if (part === '') {
    const text = description && (await markdown(visit, description, textLinking(visit, project)));
    const event = state === 'opened' ? 'close' : 'reopen';
    const stateEvent = canUpdate && state !== 'merged' && state !== 'locked' ? event : null;
    const place = placeOf(visit, project, iid);
    const notes = await discussionOf(visit, place, { canComment, stateEvent });
    return ['Discussion', html`${text}${notes}`];
  }
  if (part === 'commits') {
    const page = pageOf(visit);
    const { total, nodes } = (await visit.ask(commits, { ...variables, page, perPage }))
      .mergeRequest.commits;
    const rows = nodes.map((commit) => commitLine(visit, project, commit));
    return [
      'Commits',
      html`${entries(rows, 'There are no commits.')}${pager({ address, page, total })}`,
    ];
  }
  if (part !== 'diffs') throw pathNotFound();
  return ['Changes', changes((await visit.ask(diffs, variables)).mergeRequest.diffs)];
}
