import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { Fault } from '../kernel/fault.ts';
import { formAlert } from '../kernel/form-alert.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, formOf, textArea } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { entries } from '../kernel/listing.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';
import { actionForm, confirmedForm, savedNotice } from '../kernel/parts.ts';
import { refuseUnless } from '../kernel/refuse-unless.ts';
import { scheduleFields, scheduleForm } from './schedule-form.ts';

const single = graphql(
  `query EditedSchedule($project: ID!, $id: Int!) {
    pipelineSchedule(project: $project, id: $id) {
      ...ScheduleSettings canChange variables { key value }
    }
  }`,
  [scheduleFields],
);

type Variable = NonNullable<ResultOf<typeof single>['pipelineSchedule']['variables']>[number];

const word = 'pipeline_schedules';

const permission = graphql(`
  query MayCreateSchedules($project: ID!) { project(id: $project) { access { canCreateSchedules } } }
`);

/** The page of a new schedule. */
export async function newSchedulePage(
  visit: Visit,
  project: Project,
  fault: Fault | null = null,
): Promise<ShownPage> {
  const { access } = (await visit.ask(permission, { project: String(project.id) })).project;
  refuseUnless(access.canCreateSchedules, visit);
  const address = addressIn(visit, project, word);
  const schedule = {
    description: '',
    ref: project.defaultBranch ?? '',
    cron: '',
    cronTimezone: 'UTC',
    isActive: true,
  };
  const main = html`<h1>New schedule</h1>
${scheduleForm(visit, { address, submit: 'Create schedule', cancel: address, schedule, fault })}`;
  const page = projectPage(visit, project, word, 'New schedule', main);
  return { ...page, ...(fault && { status: fault.status }) };
}

/** Edits a schedule and its variables; `form` is the refused one: '' or `variables`. */
export async function schedulePage(
  visit: Visit,
  project: Project,
  id: number,
  { form, fault = null }: { readonly form?: string; readonly fault?: Fault | null } = {},
): Promise<ShownPage> {
  const answer = await visit.ask(single, { project: String(project.id), id });
  const schedule = answer.pipelineSchedule;
  refuseUnless(schedule.canChange, visit);
  const address = addressIn(visit, project, word, String(id));
  const faultOf = (name: string) => (form === name ? fault : null);
  const main = html`<h1>Edit schedule</h1>
${savedNotice(visit)}
${scheduleForm(visit, {
  address,
  submit: 'Save',
  cancel: addressIn(visit, project, word),
  schedule,
  fault: faultOf(''),
})}
${schedule.variables && variables(visit, address, schedule.variables, faultOf('variables'))}
${confirmedForm(
  visit,
  { address: `${address}/delete`, label: 'Delete schedule' },
  'Its pipelines stay.',
)}`;
  const page = projectPage(visit, project, word, 'Edit schedule', main);
  return { ...page, ...(fault && { status: fault.status }) };
}

function variables(
  visit: Visit,
  address: string,
  stored: readonly Variable[],
  fault: Fault | null,
): Html {
  const input = fault ? visit.form : {};
  return html`<section aria-labelledby="variables">
<h2 id="variables">Variables</h2>
${entries(
  stored.map((variable, place) => variableRow(visit, address, variable, place)),
  'There are no variables.',
)}
<h3>Add a variable</h3>
${formAlert(fault, ['key', 'value'])}
${formOf(
  visit,
  { address: `${address}/variables`, submit: 'Add variable' },
  html`${field({
    name: 'key',
    label: 'Key',
    value: input.key ?? '',
    isRequired: true,
    fault: faultText(fault?.fields ?? {}, 'key', 'Key'),
  })}
${textArea({
  name: 'value',
  label: 'Value',
  value: input.value ?? '',
  rows: 2,
  isCode: true,
  fault: faultText(fault?.fields ?? {}, 'value', 'Value'),
})}`,
)}
</section>`;
}

const variableRow = (
  visit: Visit,
  address: string,
  { key, value }: Variable,
  place: number,
): Html => html`<div class="row"><code class="name">${key}</code>
${actionForm(visit, { address: `${address}/variables/${key}/delete`, label: 'Delete', about: key, look: 'small danger' })}</div>
<details><summary aria-label="Show and change ${key}">Show and change</summary>
${formOf(
  visit,
  { address: `${address}/variables/${key}`, submit: 'Save' },
  textArea({ name: 'value', id: `value-${place}`, label: 'Value', value, rows: 2, isCode: true }),
)}</details>`;
