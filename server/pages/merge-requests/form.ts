import type { Project } from '../frame/project-head.ts';
import {
  assigneeSelect,
  type ChoiceForm,
  labelFields,
  milestoneFields,
  namedFields,
} from '../issuables/choice-fields.ts';
import {
  type Choices,
  type Chosen,
  type CurrentChoices,
  resolveChoices,
  submittedChoices,
} from '../issuables/choices.ts';
import type { Fault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { checkbox, field, markdownField, otherFaults } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';

/** The values of the fields that the forms of new and existing merge requests share. */
export interface FormValues {
  readonly title: string;
  readonly description: string;
  readonly chosen: Chosen;
  readonly removesSourceBranch: boolean;
}

/** The values of the submitted form. */
export const submittedValues = (visit: Visit): FormValues => ({
  title: visit.form.title ?? '',
  description: (visit.form.description ?? '').replaceAll('\r\n', '\n'),
  chosen: submittedChoices(visit),
  removesSourceBranch: visit.form.remove_source_branch === '1',
});

/**
 * The submitted values as an input of the core, for a merge request into `project`; those that only
 * developers set if the form offered them.
 */
export async function submittedInput(
  visit: Visit,
  project: Pick<Project, 'id'>,
  hasChoices: boolean,
) {
  const { title, description, chosen, removesSourceBranch } = submittedValues(visit);
  const input = { title, description, forceRemoveSourceBranch: removesSourceBranch };
  if (!hasChoices) return input;
  const { assigneeIds, ...resolved } = await resolveChoices(visit, String(project.id), chosen);
  return { ...input, ...resolved, assigneeId: assigneeIds[0] ?? null };
}

interface Shown {
  readonly values: FormValues;
  /** Null for users who may not set them. */
  readonly choices: Choices | null;
  readonly current: CurrentChoices;
  readonly fault: Fault | null;
  /** The address of the project, for previews and uploads. */
  readonly projectAddress: string;
}

const shownFields: readonly string[] = ['title', 'description', ...namedFields];

/** The fields of a merge request's form, with the error of the form above them. */
export function formFields(visit: Visit, shown: Shown): Html {
  const { values, choices, current, fault, projectAddress } = shown;
  const fields = fault?.fields ?? {};
  const of = (name: string, subject: string) => faultText(fields, name, subject);
  return html`${fault && alert(fault.text ?? otherFaults(fields, shownFields))}
${field({ name: 'title', label: 'Title', value: values.title, isRequired: true, fault: of('title', 'Title'), hint: 'Begin it with WIP: for a draft, which cannot be merged.' })}
${markdownField({ name: 'description', label: 'Description', value: values.description, rows: 10, projectAddress, fault: of('description', 'Description'), hint: 'Markdown is supported. “Closes #1” closes that issue with the merge.' })}
${choices && choiceFields(visit, { choices, current, chosen: values.chosen, faults: fields })}
${checkbox({ name: 'remove_source_branch', label: 'Delete the source branch after the merge', isChecked: values.removesSourceBranch })}`;
}

const choiceFields = (visit: Visit, form: ChoiceForm): Html =>
  html`${assigneeSelect(visit, form)}
${milestoneFields(form)}
${labelFields(form)}`;
