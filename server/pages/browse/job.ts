import { attachmentResponse } from '../../../rest-facade/kernel/raw.ts';
import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { type Html, html } from '../html.ts';
import type { Answer, Visit } from '../page.ts';
import { numberIn, splitFirst } from './addresses.ts';
import {
  actionForm,
  following,
  isGoingOn,
  pipelineLink,
  pipelineLinkFields,
  refAndCommit,
  span,
  statusMark,
} from './ci.ts';
import { bytes, moment, when } from './listing.ts';
import { person, personFields } from './people.ts';
import { addressIn, type Project, type ProjectPage, projectHead } from './project-head.ts';
import { sendTrace, traceOf } from './trace.ts';

const one = graphql(
  `query BrowsedJob($project: ID!, $id: Int!) {
    job(project: $project, id: $id) {
      id projectId name stage status isAllowedToFail isRetried tags failure coverage createdAt
      startedAt finishedAt erasedAt duration canRetry canCancel canPlay canErase
      user { ...PersonFields } runner { id description }
      pipeline { ...PipelineLinkFields ref isTag sha }
      artifactsFile { filename size expireAt }
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
    artifacts(project: $project, job: $id) { projectId jobId file { filename } }
  }
`);

type Job = ResultOf<typeof one>['job'];

/** A job by its number; below that its trace as it is, `raw`, and `artifacts/download`. */
export const showJob: ProjectPage = async (visit, project, rest) => {
  const [number, part] = splitFirst(rest);
  const asked = { project: String(project.id), id: numberIn(number) };
  if (part === 'raw') return sendTrace(visit, (await visit.ask(place, asked)).job);
  if (part === 'artifacts/download') {
    return sendArtifacts(visit, (await visit.ask(archive, asked)).artifacts);
  }
  if (part !== '') throw pathNotFound();
  return showOne(visit, project, (await visit.ask(one, asked)).job);
};

async function sendArtifacts(
  visit: Visit,
  found: ResultOf<typeof archive>['artifacts'],
): Promise<Answer> {
  const { projectId, jobId: id, file } = found;
  await visit.reserveStream();
  const opened = await visit.jobFiles.openArtifacts({ id, projectId });
  if (!opened) throw pathNotFound();
  return attachmentResponse(opened.content, { name: file.filename, size: opened.size });
}

async function showOne(visit: Visit, project: Project, job: Job): Promise<Answer> {
  const { id, name, status, pipeline, erasedAt } = job;
  const to = (...below: readonly string[]) =>
    addressIn(visit, project, '-', 'jobs', String(id), ...below);
  const { control, ...refreshing } = following(visit, to(), status);
  const hasRun = job.startedAt !== null && erasedAt === null;
  return {
    title: `${name} (#${id}) · ${project.fullPath}`,
    ...refreshing,
    main: html`${projectHead(visit, project, 'pipelines')}
<h1>${name} <span class="number">#${id}</span> ${statusMark(status)}${
      job.isRetried && html` <span class="badge">tried again</span>`
    }</h1>
${control}
<dl class="traits">
<dt>Pipeline</dt><dd>${pipelineLink(visit, pipeline)}</dd>
<dt>Stage</dt><dd>${job.stage}</dd>
<dt>Of</dt><dd>${refAndCommit(visit, project, pipeline)}</dd>
<dt>For</dt><dd>${person(visit, job.user)}</dd>
${job.tags.length > 0 && html`<dt>Tags</dt><dd>${job.tags.map((tag) => html`<span class="badge">${tag}</span> `)}</dd>`}
${job.runner && html`<dt>Runner</dt><dd>#${job.runner.id} ${job.runner.description}</dd>`}
<dt>Made</dt><dd>${moment(job.createdAt)}</dd>
${job.startedAt !== null && html`<dt>Began</dt><dd>${moment(job.startedAt)}</dd>`}
${job.duration !== null && html`<dt>${isGoingOn(status) ? 'Has run' : 'Ran'}</dt><dd>${span(job.duration)}</dd>`}
${job.coverage !== null && html`<dt>Coverage</dt><dd>${job.coverage.toFixed(2)} %</dd>`}
${artifacts(job, to('artifacts', 'download'))}
</dl>
${stateOf(job)}
${actions(visit, job, to)}
${erasedAt && html`<p class="quiet">What it wrote and left was erased on ${when(erasedAt)}.</p>`}
${hasRun && (await traceOf(visit, { id, projectId: job.projectId }, { raw: to('raw'), isGoingOn: isGoingOn(status) }))}`,
  };
}

const reasons: Readonly<Record<NonNullable<Job['failure']>, string>> = {
  script_failure: 'A command of its script failed.',
  runner_system_failure: 'Its runner could not run it.',
  stuck_or_timeout_failure: 'It took too long, or nothing was heard of its runner any more.',
  missing_dependency_failure: 'What an earlier job was to leave for it is not there.',
  unknown_failure: 'Nothing was said of why it failed.',
};

const waits: Readonly<Partial<Record<string, string>>> = {
  created: 'It has its turn once the stages before it have ended.',
  pending: 'It waits for a runner that takes it.',
  manual: 'Somebody has to start it.',
  skipped: 'It was left out, as something before it failed.',
};

function stateOf({ status, failure, tags, isAllowedToFail }: Job): Html | null {
  if (status === 'failed') {
    return html`<p class="alert">${reasons[failure ?? 'unknown_failure']}${
      isAllowedToFail && ' It may fail: nothing else is kept from going on.'
    }</p>`;
  }
  const wait = waits[status];
  if (!wait) return null;
  const tagged =
    status === 'pending' && tags.length > 0 && ` It takes one with these tags: ${tags.join(', ')}.`;
  return html`<p>${wait}${tagged}</p>`;
}

function artifacts({ artifactsFile }: Job, address: string): Html | null {
  if (!artifactsFile) return null;
  const { filename, size, expireAt } = artifactsFile;
  return html`<dt>Artifacts</dt><dd><a href="${address}">${filename}</a>
<span class="quiet">${bytes(size)}${expireAt !== null && html`, kept until ${when(expireAt)}`}</span></dd>`;
}

function actions(visit: Visit, job: Job, to: (...below: readonly string[]) => string) {
  const { canRetry, canCancel, canPlay, canErase, status } = job;
  const play =
    canPlay && status === 'manual' && actionForm(visit, { address: to('play'), label: 'Start' });
  const retry = canRetry && actionForm(visit, { address: to('retry'), label: 'Try again' });
  const cancel =
    canCancel && actionForm(visit, { address: to('cancel'), label: 'Cancel', look: 'danger' });
  const erase =
    canErase &&
    html`<details><summary>Erase</summary><p>What it wrote and left goes for good.</p>
${actionForm(visit, { address: to('erase'), label: 'Erase', look: 'danger' })}</details>`;
  return html`${(play || retry || cancel) && html`<div class="row">${play}${retry}${cancel}</div>`}${erase}`;
}
