import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import type { Fault } from '../kernel/fault.ts';
import { formAlert } from '../kernel/form-alert.ts';
import { faultText } from '../kernel/form-faults.ts';
import { checkbox, field, formOf } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';

export const scheduleFields = graphql(`
  fragment ScheduleSettings on PipelineSchedule { description ref cron cronTimezone isActive }
`);

interface ScheduleForm {
  readonly address: string;
  readonly submit: string;
  readonly cancel: string;
  /** What the form shows before a user changes it. */
  readonly schedule: ResultOf<typeof scheduleFields>;
  readonly fault: Fault | null;
}

/** The form to create or change a pipeline schedule. */
export function scheduleForm(visit: Visit, { schedule, fault, ...target }: ScheduleForm): Html {
  const faults = fault?.fields ?? {};
  const input = fault ? scheduleInput(visit) : schedule;
  return html`${formAlert(fault, ['description', 'ref', 'cron', 'cronTimezone', 'cron_timezone'])}
${formOf(
  visit,
  target,
  html`${field({
    name: 'description',
    label: 'Description',
    value: input.description,
    isRequired: true,
    fault: faultText(faults, 'description', 'Description'),
  })}
${field({
  name: 'cron',
  label: 'Times',
  value: input.cron,
  isRequired: true,
  placeholder: '0 4 * * *',
  hint: html`As in cron: minute, hour, day of the month, month, day of the week. <code>0 4 * * *</code> is every day at
4:00, <code>0 4 * * 1</code> every Monday, <code>0 4 1 * *</code> the first day of every month.`,
  fault: faultText(faults, 'cron', 'Times'),
})}
${field({
  name: 'cron_timezone',
  label: 'Time zone',
  value: input.cronTimezone,
  isRequired: true,
  placeholder: 'Europe/Berlin',
  fault:
    faultText(faults, 'cronTimezone', 'Time zone') ??
    faultText(faults, 'cron_timezone', 'Time zone'),
})}
${field({
  name: 'ref',
  label: 'Branch or tag',
  value: input.ref,
  isRequired: true,
  fault: faultText(faults, 'ref', 'Branch or tag'),
})}
${checkbox({ name: 'active', label: 'Active', isChecked: input.isActive })}`,
)}`;
}

/** The schedule that the form was sent with. */
export const scheduleInput = ({ form }: Visit) => ({
  description: form.description ?? '',
  ref: form.ref?.trim() ?? '',
  cron: form.cron ?? '',
  cronTimezone: form.cron_timezone?.trim() ?? '',
  isActive: form.active === '1',
});
