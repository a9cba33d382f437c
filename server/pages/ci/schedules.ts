import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import { type Html, html } from '../kernel/html.ts';
import { choices, entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';
import { actionForm, emptyState, savedNotice } from '../kernel/parts.ts';
import { person, personFields } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';
import { pipelineLink, pipelineLinkFields } from './ci.ts';

const rowFields = graphql(
  `fragment ScheduleRowFields on PipelineSchedule {
    id description ref cron cronTimezone isActive nextRunAt lastError canChange
    owner { ...PersonFields } lastPipeline { ...PipelineLinkFields }
  }`,
  [personFields, pipelineLinkFields],
);

const list = graphql(
  `query ListedSchedules(
    $project: ID!, $filter: PipelineScheduleFilter!, $page: Int!, $perPage: Int!
  ) {
    project(id: $project) { access { canCreateSchedules } }
    pipelineSchedules(project: $project, filter: $filter, page: $page, perPage: $perPage) {
      total nodes { ...ScheduleRowFields }
    }
  }`,
  [rowFields],
);

type Schedule = ResultOf<typeof rowFields>;

const scopes = ['all', 'active', 'inactive'] as const;

/** The pipeline schedules of a project. */
export async function schedulesPage(visit: Visit, project: Project): Promise<ShownPage> {
  const scope = scopes.find((name) => name === visit.query.scope) ?? 'all';
  const page = pageOf(visit);
  const answer = await visit.ask(list, {
    project: String(project.id),
    filter: scope === 'all' ? {} : { isActive: scope === 'active' },
    page,
    perPage,
  });
  const { total, nodes } = answer.pipelineSchedules;
  const { canCreateSchedules: canCreate } = answer.project.access;
  const address = addressIn(visit, project, 'pipeline_schedules');
  const add = html`<a class="button" href="${address}/new">New schedule</a>`;
  const options = scopes.map(
    (name) => [name, name === 'all' ? address : `${address}?scope=${name}`] as const,
  );
  const main = html`<div class="bar"><h1>Pipeline schedules</h1>${canCreate && add}</div>
${savedNotice(visit)}
${choices('Filter', options, scope)}
${
  total === 0 && scope === 'all'
    ? emptyState(
        'There are no schedules yet',
        'A schedule creates pipelines of a branch or tag at certain times.',
        canCreate ? add : null,
      )
    : entries(
        nodes.map((schedule) => row(visit, address, schedule, canCreate)),
        'No schedules match this filter.',
      )
}
${pager({ address, page, total, ...(scope !== 'all' && { query: { scope } }) })}`;
  return projectPage(visit, project, 'pipeline_schedules', 'Pipeline schedules', main);
}

function row(visit: Visit, address: string, schedule: Schedule, canRun: boolean): Html {
  const { id, description, ref, cron, cronTimezone, isActive, nextRunAt } = schedule;
  const { lastError, lastPipeline, canChange, owner } = schedule;
  const to = (step: string) => `${address}/${id}/${step}`;
  const isOwn = owner?.username === visit.viewer?.username;
  const name = canChange
    ? html`<a class="name" href="${to('edit')}">${description}</a>`
    : html`<span class="name">${description}</span>`;
  return html`<div class="row">${name}${!isActive && html`<span class="badge">inactive</span>`}
${canRun && actionForm(visit, { address: to('play'), label: 'Run', icon: 'play', about: description, look: 'small' })}
${
  canChange &&
  !isOwn &&
  actionForm(visit, {
    address: to('take_ownership'),
    label: 'Take ownership',
    about: `of ${description}`,
    look: 'small',
  })
}</div>
<span class="quiet">${ref} · <code>${cron}</code> ${cronTimezone} · ${person(visit, owner)}${
    isActive && html` · next run ${when(nextRunAt)}`
  }${lastPipeline && html` · last pipeline ${pipelineLink(visit, lastPipeline)}`}</span>
${lastError !== null && html`<span class="fault">Last run: ${lastError}</span>`}`;
}
