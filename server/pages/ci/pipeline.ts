import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import { type Html, html } from '../kernel/html.ts';
import { entries, pageOf, pager } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { actionForm, confirmedForm } from '../kernel/parts.ts';
import { person, personFields } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';
import { following, isUnfinished, refAndCommit, span, statusMark } from './ci.ts';

const jobRowFields = graphql(`
  fragment JobRowFields on Job {
    id name stage status duration isAllowedToFail: allowFailure isRetried canRetry canPlay
  }
`);

const outsideFields = graphql(`
  fragment ExternalStatusFields on CommitStatus { name state description targetUrl allowFailure }
`);

const pipelineDocument = graphql(
  `query BrowsedPipeline($project: ID!, $id: Int!, $page: Int!, $perPage: Int!) {
    pipeline(project: $project, id: $id) {
      id status ref isTag sha source yamlErrors createdAt duration coverage stages canRun canDelete
      user { ...PersonFields }
      jobs(orderBy: stage, page: $page, perPage: $perPage) { total nodes { ...JobRowFields } }
      externalStatuses { ...ExternalStatusFields }
    }
  }`,
  [personFields, jobRowFields, outsideFields],
);

type Pipeline = ResultOf<typeof pipelineDocument>['pipeline'];

const noJobs = { total: 0, nodes: [] };

/** Jobs on a page. */
const size = 100;

/** One pipeline, with its jobs by stage. */
export async function showPipeline(visit: Visit, project: Project, id: number): Promise<Answer> {
  const page = pageOf(visit);
  const variables = { project: String(project.id), id, page, perPage: size };
  const { pipeline } = await visit.ask(pipelineDocument, variables);
  const { status, user, source, createdAt, duration, coverage, yamlErrors } = pipeline;
  const jobs = pipeline.jobs ?? noJobs;
  const address = addressIn(visit, project, 'pipelines', String(id));
  const { control, ...refreshing } = following(visit, address, status);
  const main = html`<div class="bar"><h1>Pipeline <span class="number">#${id}</span> ${statusMark(status)}</h1>
${actions(visit, project, pipeline)}</div>
${control}
<dl class="traits">
<dt>Ref</dt><dd>${refAndCommit(visit, project, pipeline)}</dd>
<dt>Created</dt><dd>${when(createdAt)} ${user || source !== 'external' ? html`by ${person(visit, user)} (${source})` : 'by an external service'}</dd>
${duration !== null && html`<dt>Duration</dt><dd>${span(duration)}</dd>`}
${coverage !== null && html`<dt>Coverage</dt><dd>${coverage.toFixed(2)} %</dd>`}
</dl>
${yamlErrors !== null && html`<p class="alert lines">Invalid CI file: ${yamlErrors}</p>`}
${stages(visit, project, jobs.nodes)}
${pager({ address, page, total: jobs.total, size })}
${outside(pipeline)}
${jobs.total === 0 && pipeline.externalStatuses.length === 0 && html`<p class="quiet">This pipeline has no jobs.</p>`}
${
  pipeline.canDelete &&
  confirmedForm(
    visit,
    { address: `${address}/delete`, label: 'Delete pipeline' },
    'Its jobs, their logs and artifacts are deleted permanently.',
  )
}`;
  return { ...projectPage(visit, project, 'pipelines', `Pipeline #${id}`, main), ...refreshing };
}

function actions(visit: Visit, project: Project, { id, status, canRun, jobs }: Pipeline) {
  if (!canRun || !jobs) return null;
  const to = (step: string) => addressIn(visit, project, '-', 'pipelines', String(id), step);
  const isFailed = (of: { readonly status: string }) =>
    of.status === 'failed' || of.status === 'canceled';
  const isLeft =
    jobs.nodes.some((job) => !job.isRetried && isFailed(job)) ||
    // the pipeline's status covers the jobs on other pages
    (jobs.total > size && isFailed({ status }));
  const retry = isLeft && actionForm(visit, { address: to('retry'), label: 'Retry' });
  const cancel =
    jobs.total > 0 &&
    isUnfinished(status) &&
    actionForm(visit, { address: to('cancel'), label: 'Cancel', look: 'danger' });
  return (retry || cancel) && html`<div class="row">${retry}${cancel}</div>`;
}

type JobRow = ResultOf<typeof jobRowFields>;

const stages = (visit: Visit, project: Project, jobs: readonly JobRow[]): Html =>
  html`${[...Map.groupBy(jobs, ({ stage }) => stage)].map(
    ([stage, members], place) => html`<section aria-labelledby="stage-${place}">
<h2 id="stage-${place}">${stage}</h2>
${entries(
  members.map((job) => jobRow(visit, project, job)),
  '',
)}
</section>`,
  )}`;

function jobRow(visit: Visit, project: Project, job: JobRow): Html {
  const { id, name, status, duration, canPlay, canRetry } = job;
  const to = (...below: readonly string[]) =>
    addressIn(visit, project, '-', 'jobs', String(id), ...below);
  const step = canPlay && status === 'manual' ? 'play' : canRetry && 'retry';
  const label = step === 'play' ? 'Start' : 'Retry';
  return html`<div class="row"><a class="name" href="${to()}">${name}</a> ${statusMark(status)}${
    job.isAllowedToFail && html` <span class="badge">allowed to fail</span>`
  }${job.isRetried && html` <span class="badge">retried</span>`}${
    duration !== null && html` <span class="quiet">${span(duration)}</span>`
  }${step && actionForm(visit, { address: to(step), label, about: name, look: 'small' })}</div>`;
}

function outside({ externalStatuses }: Pipeline): Html | null {
  if (externalStatuses.length === 0) return null;
  const rows = externalStatuses.map(({ name, state, description, targetUrl, allowFailure }) => {
    const isWeb = targetUrl !== null && /^https?:\/\//i.test(targetUrl);
    return html`<div class="row">${
      isWeb
        ? html`<a class="name" href="${targetUrl}" rel="nofollow noopener noreferrer">${name}</a>`
        : html`<span class="name">${name}</span>`
    } ${statusMark(state)}${allowFailure && html` <span class="badge">allowed to fail</span>`}
${description && html`<span class="quiet">${description}</span>`}</div>`;
  });
  return html`<section aria-labelledby="outside">
<h2 id="outside">External</h2>
${entries(rows, '')}
</section>`;
}
