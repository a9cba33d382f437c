import { numberOf } from '../kernel/addresses.ts';
import type { Fault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import {
  checkbox,
  choiceGroup,
  field,
  markdownField,
  otherFaults,
  select,
} from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';
import type { Choice, FormChoices } from './form-choices.ts';

/** The values of the fields that the forms of new and existing merge requests share. */
export interface FormValues {
  readonly title: string;
  readonly description: string;
  readonly assignee: string;
  readonly milestone: string;
  readonly labels: readonly string[];
  readonly removesSourceBranch: boolean;
}

/** The values of the submitted form. */
export const submittedValues = (visit: Visit): FormValues => ({
  title: visit.form.title ?? '',
  description: (visit.form.description ?? '').replaceAll('\r\n', '\n'),
  assignee: visit.form.assignee_id ?? '',
  milestone: visit.form.milestone_id ?? '',
  labels: visit.formList('labels').filter((name) => name !== ''),
  removesSourceBranch: visit.form.remove_source_branch === '1',
});

/** The values as an input of the core; those that only developers set if the form offered them. */
export const inputOf = (values: FormValues, hasChoices: boolean) => ({
  title: values.title,
  description: values.description,
  forceRemoveSourceBranch: values.removesSourceBranch,
  ...(hasChoices && {
    assigneeId: numberOf(values.assignee || undefined),
    milestoneId: numberOf(values.milestone || undefined),
    labels: [...values.labels],
  }),
});

interface Shown {
  readonly values: FormValues;
  /** Null for users who may not set them. */
  readonly choices: FormChoices | null;
  readonly fault: Fault | null;
  /** The address of the project, for previews and uploads. */
  readonly projectAddress: string;
}

/** The current value stays possible if the list does not have it. */
const withNone = (choices: readonly Choice[], value: string, label: string): readonly Choice[] => {
  const isMissing = value !== '' && !choices.some(([id]) => id === value);
  return [['', 'None'], ...(isMissing ? [[value, label] as const] : []), ...choices];
};

/** The fields of a merge request's form, with the error of the form above them. */
export function formFields({ values, choices, fault, projectAddress }: Shown): Html {
  const fields = fault?.fields ?? {};
  const of = (name: string, subject: string) => faultText(fields, name, subject);
  return html`${fault && alert(fault.text ?? otherFaults(fields, ['title', 'description', 'labels']))}
${field({ name: 'title', label: 'Title', value: values.title, isRequired: true, fault: of('title', 'Title'), hint: 'Begin it with WIP: for a draft, which cannot be merged.' })}
${markdownField({ name: 'description', label: 'Description', value: values.description, rows: 10, projectAddress, fault: of('description', 'Description'), hint: 'Markdown is supported. “Closes #1” closes that issue with the merge.' })}
${choices && choiceFields(values, choices)}
${of('labels', 'Labels') && alert(of('labels', 'Labels'))}
${checkbox({ name: 'remove_source_branch', label: 'Delete the source branch after the merge', isChecked: values.removesSourceBranch })}`;
}

function choiceFields(
  { assignee, milestone, labels }: FormValues,
  { assignees, milestones, labels: names }: FormChoices,
): Html {
  const all = [...new Set([...labels, ...names])];
  return html`${select({ name: 'assignee_id', label: 'Assignee', value: assignee, options: withNone(assignees, assignee, 'Current assignee') })}
${select({ name: 'milestone_id', label: 'Milestone', value: milestone, options: withNone(milestones, milestone, 'Current milestone') })}
<input type="hidden" name="labels[]" value="">
${all.length > 0 && choiceGroup({ name: 'labels[]', label: 'Labels', type: 'checkbox', chosen: labels, options: all.map((name) => ({ value: name, label: name })) })}`;
}
