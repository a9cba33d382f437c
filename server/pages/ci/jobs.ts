import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import { choices, entries, item, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';
import { when } from '../kernel/times.ts';
import { pipelineLink, pipelineLinkFields, refAndCommit, span, statusMark } from './ci.ts';
import { noPipelines } from './no-pipelines.ts';

const rowFields = graphql(
  `fragment ListedJobFields on Job {
    id name stage status duration createdAt isAllowedToFail: allowFailure isRetried
    pipeline { ...PipelineLinkFields ref isTag sha }
  }`,
  [pipelineLinkFields],
);

const list = graphql(
  `query ListedJobs($project: ID!, $filter: JobFilter!, $page: Int!, $perPage: Int!) {
    jobs(project: $project, filter: $filter, page: $page, perPage: $perPage) {
      total nodes { ...ListedJobFields }
    }
  }`,
  [rowFields],
);

const statuses = [
  'pending',
  'running',
  'manual',
  'success',
  'failed',
  'canceled',
  'skipped',
] as const;

/** The jobs of a project, of all statuses or one. */
export async function showJobs(visit: Visit, project: Project): Promise<ShownPage> {
  const status = statuses.find((name) => name === visit.query.status);
  const page = pageOf(visit);
  const variables = {
    project: String(project.id),
    filter: status ? { statuses: [status] } : {},
    page,
    perPage,
  };
  const { total, nodes } = (await visit.ask(list, variables)).jobs;
  const address = addressIn(visit, project, '-', 'jobs');
  const options = [
    ['all', address] as const,
    ...statuses.map((name) => [name, `${address}?status=${name}`] as const),
  ];
  const main = html`<h1>Jobs</h1>
${choices('Status', options, status ?? 'all')}
${
  total === 0 && !status
    ? noPipelines(visit, project, 'There are no jobs yet')
    : entries(
        nodes.map((job) => row(visit, project, job)),
        'No jobs have this status.',
      )
}
${pager({ address, page, total, ...(status && { query: { status } }) })}`;
  return projectPage(visit, project, 'jobs', 'Jobs', main);
}

function row(visit: Visit, project: Project, job: ResultOf<typeof rowFields>): Html {
  const { id, name, stage, status, duration, createdAt, pipeline } = job;
  const address = addressIn(visit, project, '-', 'jobs', String(id));
  return item(
    html`<div class="status-column">${statusMark(status)}</div>`,
    html`<a class="name" href="${address}">${name} <span class="number">#${id}</span></a>${
      job.isAllowedToFail && html` <span class="badge">allowed to fail</span>`
    }${job.isRetried && html` <span class="badge">retried</span>`}
<div class="quiet">${stage} · ${refAndCommit(visit, project, pipeline)} · pipeline ${pipelineLink(visit, pipeline)}</div>`,
    html`${when(createdAt)}${duration !== null && html`<span title="Duration">${icon('clock')} ${span(duration)}</span>`}`,
  );
}
