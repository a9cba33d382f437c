import { attachmentResponse, redirectResponse } from '../../../rest-facade/kernel/raw.ts';
import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { followTraceScript, terminalStylesheet } from '../assets/assets.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { numberIn, splitFirst } from '../kernel/addresses.ts';
import { type Html, html } from '../kernel/html.ts';
import { bytes } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { actionForm } from '../kernel/parts.ts';
import { person, personFields } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';
import {
  following,
  isUnfinished,
  pipelineLink,
  pipelineLinkFields,
  refAndCommit,
  span,
  statusMark,
} from './ci.ts';
import { sendTrace, traceOf } from './trace.ts';

const jobDocument = graphql(
  `query BrowsedJob($project: ID!, $id: Int!) {
    job(project: $project, id: $id) {
      id projectId name stage status isAllowedToFail: allowFailure isRetried tags: tagList failure coverage createdAt
      startedAt finishedAt erasedAt duration canRetry canCancel canPlay canErase
      user { ...PersonFields } runner { id description }
      pipeline { ...PipelineLinkFields ref isTag sha }
      artifactsFile { fileName size expiresAt }
    }
  }`,
  [personFields, pipelineLinkFields],
);

const place = graphql(`
  query BrowsedTrace($project: ID!, $id: Int!) {
    job(project: $project, id: $id) { id projectId }
  }
`);

const archive = graphql(`
  query BrowsedArtifacts($project: ID!, $id: Int!) {
    artifacts(project: $project, job: $id) { projectId jobId file { fileName } }
  }
`);

type Job = ResultOf<typeof jobDocument>['job'];

/** A job by its id; below it the raw trace, `raw`, and `artifacts/download`. */
export const showJob: ProjectPage = async (visit, project, rest) => {
  const [number, part] = splitFirst(rest);
  const variables = { project: String(project.id), id: numberIn(number) };
  if (part === 'raw') return sendTrace(visit, (await visit.ask(place, variables)).job);
  if (part === 'artifacts/download') {
    return sendArtifacts(visit, (await visit.ask(archive, variables)).artifacts);
  }
  if (part !== '') throw pathNotFound();
  return showOne(visit, project, (await visit.ask(jobDocument, variables)).job);
};

async function sendArtifacts(
  visit: Visit,
  { projectId, jobId: id, file }: ResultOf<typeof archive>['artifacts'],
): Promise<Answer> {
  const url = await visit.artifactsUrl({ id, projectId }, file.fileName);
  if (url !== null) return redirectResponse(url);
  await visit.reserveStream();
  const opened = await visit.jobFiles.openArtifacts({ id, projectId });
  if (!opened) throw pathNotFound();
  return attachmentResponse(opened.content, { name: file.fileName, size: opened.size });
}

async function showOne(visit: Visit, project: Project, job: Job): Promise<Answer> {
  const { id, name, status, pipeline, erasedAt } = job;
  const to = (...below: readonly string[]) =>
    addressIn(visit, project, '-', 'jobs', String(id), ...below);
  const { control, ...refreshing } = following(visit, to(), status);
  const hasRun = job.startedAt !== null && erasedAt === null;
  const trace = hasRun
    ? await traceOf(
        visit,
        { id, projectId: job.projectId },
        { raw: to('raw'), isUnfinished: isUnfinished(status) },
      )
    : null;
  const script = refreshing.refreshAfter !== undefined && {
    path: followTraceScript.path,
    data: {
      endpoint: visit.url('/graphql'),
      job: id,
      status,
      offset: trace?.end ?? 0,
    },
  };
  const main = html`<div class="bar"><h1>${name} <span class="number">#${id}</span> ${statusMark(status)}${
    job.isRetried && html` <span class="badge">retried</span>`
  }</h1>${actions(visit, job, to)}</div>
${control}
<div class="columns facts-first">
<div>${stateOf(job)}
${erasedAt && html`<p class="quiet">The log and artifacts were erased ${when(erasedAt)}.</p>`}
${trace?.markup}
${erase(visit, job, to)}</div>
<aside aria-label="Details"><dl class="traits">
<dt>Pipeline</dt><dd>${pipelineLink(visit, pipeline)}</dd>
<dt>Stage</dt><dd>${job.stage}</dd>
<dt>Ref</dt><dd>${refAndCommit(visit, project, pipeline)}</dd>
<dt>Triggered by</dt><dd>${person(visit, job.user)}</dd>
${job.tags.length > 0 && html`<dt>Tags</dt><dd>${job.tags.map((tag) => html`<span class="badge">${tag}</span> `)}</dd>`}
${job.runner && html`<dt>Runner</dt><dd>#${job.runner.id} ${job.runner.description}</dd>`}
<dt>Created</dt><dd>${when(job.createdAt)}</dd>
${job.startedAt !== null && html`<dt>Started</dt><dd>${when(job.startedAt)}</dd>`}
${job.duration !== null && html`<dt>Duration</dt><dd>${span(job.duration)}</dd>`}
${job.coverage !== null && html`<dt>Coverage</dt><dd>${job.coverage.toFixed(2)} %</dd>`}
${artifacts(job, to('artifacts', 'download'))}
</dl></aside>
</div>`;
  return {
    ...projectPage(visit, project, 'pipelines', `${name} (#${id})`, main),
    ...refreshing,
    stylesheet: terminalStylesheet.path,
    ...(script && { script }),
  };
}

const reasons: Readonly<Record<NonNullable<Job['failure']>, string>> = {
  script_failure: 'The script failed.',
  runner_system_failure: 'The runner could not run the job.',
  stuck_or_timeout_failure: 'The job timed out, or its runner stopped responding.',
  missing_dependency_failure: 'The artifacts of an earlier job are missing.',
  unknown_failure: 'The reason of the failure is unknown.',
};

const waits: Readonly<Partial<Record<string, string>>> = {
  created: 'The job starts when the earlier stages have finished.',
  pending: 'The job is waiting for a runner.',
  manual: 'This job must be started manually.',
  skipped: 'The job was skipped because an earlier job failed.',
};

function stateOf({ status, failure, tags, isAllowedToFail }: Job): Html | null {
  if (status === 'failed') {
    return html`<p class="alert">${reasons[failure ?? 'unknown_failure']}${
      isAllowedToFail && ' It is allowed to fail and does not affect the pipeline.'
    }</p>`;
  }
  const wait = waits[status];
  if (!wait) return null;
  const tagged =
    status === 'pending' &&
    tags.length > 0 &&
    ` It needs a runner with these tags: ${tags.join(', ')}.`;
  return html`<p>${wait}${tagged}</p>`;
}

function artifacts({ artifactsFile }: Job, address: string): Html | null {
  if (!artifactsFile) return null;
  const { fileName, size, expiresAt } = artifactsFile;
  return html`<dt>Artifacts</dt><dd><a href="${address}">${fileName}</a>
<span class="quiet">${bytes(size)}${expiresAt !== null && html`, expires ${when(expiresAt)}`}</span></dd>`;
}

type AddressOf = (...below: readonly string[]) => string;

function actions(visit: Visit, job: Job, to: AddressOf): Html | null {
  const { canRetry, canCancel, canPlay, status } = job;
  const play =
    canPlay && status === 'manual' && actionForm(visit, { address: to('play'), label: 'Start' });
  const retry = canRetry && actionForm(visit, { address: to('retry'), label: 'Retry' });
  const cancel =
    canCancel && actionForm(visit, { address: to('cancel'), label: 'Cancel', look: 'danger' });
  return play || retry || cancel ? html`<div class="row">${play}${retry}${cancel}</div>` : null;
}

const erase = (visit: Visit, { canErase }: Job, to: AddressOf): Html | null =>
  canErase
    ? html`<details><summary>Erase</summary><p>The log and artifacts are deleted permanently.</p>
${actionForm(visit, { address: to('erase'), label: 'Erase', look: 'danger' })}</details>`
    : null;
