import { graphql } from '../../../schema/client/graphql.ts';
import { pipelineRow, pipelineRowFields } from '../ci/pipelines.ts';
import { commitFields, commitLine } from '../code/location.ts';
import type { Project } from '../frame/project-head.ts';
import { html } from '../kernel/html.ts';
import { entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { headFields } from './fields.ts';
import { mergeRequestAddress, mergeRequestPage } from './head.ts';

const commits = graphql(
  `query BrowsedMergeRequestCommits($project: ID!, $iid: Int!, $page: Int!, $perPage: Int!) {
    mergeRequest(project: $project, iid: $iid) {
      ...MergeRequestHeadFields
      commits(page: $page, perPage: $perPage) { total nodes { ...CommitRowFields } }
    }
  }`,
  [headFields, commitFields],
);

const pipelines = graphql(
  `query BrowsedMergeRequestPipelines($project: ID!, $iid: Int!, $page: Int!, $perPage: Int!) {
    mergeRequest(project: $project, iid: $iid) {
      ...MergeRequestHeadFields
      pipelines(page: $page, perPage: $perPage) { total nodes { ...PipelineRowFields } }
    }
  }`,
  [headFields, pipelineRowFields],
);

/** The commits that the merge request adds. */
export async function showCommitsTab(visit: Visit, project: Project, iid: number): Promise<Answer> {
  const page = pageOf(visit);
  const variables = { project: String(project.id), iid, page, perPage };
  const { mergeRequest } = await visit.ask(commits, variables);
  const { total, nodes } = mergeRequest.commits;
  const rows = nodes.map((commit) => commitLine(visit, project, commit));
  const address = mergeRequestAddress(visit, project, iid, 'commits');
  const content = html`<h2 class="unseen">Commits</h2>
${entries(rows, 'There are no commits.')}
${pager({ address, page, total })}`;
  return mergeRequestPage(visit, project, mergeRequest, 'commits', content);
}

/** The pipelines of the source branch. */
export async function showPipelinesTab(
  visit: Visit,
  project: Project,
  iid: number,
): Promise<Answer> {
  const page = pageOf(visit);
  const variables = { project: String(project.id), iid, page, perPage };
  const { mergeRequest } = await visit.ask(pipelines, variables);
  const { total, nodes } = mergeRequest.pipelines ?? { total: 0, nodes: [] };
  const source = { ...project, fullPath: mergeRequest.sourceProject?.fullPath ?? project.fullPath };
  const rows = nodes.map((pipeline) => pipelineRow(visit, source, pipeline));
  const address = mergeRequestAddress(visit, project, iid, 'pipelines');
  const content = html`<h2 class="unseen">Pipelines</h2>
${entries(rows, 'The source branch has no pipelines.')}
${pager({ address, page, total })}`;
  return mergeRequestPage(visit, project, mergeRequest, 'pipelines', content);
}
