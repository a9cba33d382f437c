import { graphql } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import { html } from '../kernel/html.ts';
import { badges, choices, entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { person, personFields } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';

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

const states = ['opened', 'merged', 'closed', 'all'] as const;

/** The merge requests of a project by their state. */
export async function showList(visit: Visit, project: Project): Promise<Answer> {
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
