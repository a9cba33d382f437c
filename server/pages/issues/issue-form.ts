import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import {
  assigneeFields,
  type ChoiceForm,
  labelFields,
  milestoneFields,
  namedFields,
} from '../issuables/choice-fields.ts';
import {
  type Chosen,
  type CurrentChoices,
  choicesIn,
  submittedChoices,
} from '../issuables/choices.ts';
import type { Fault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { checkbox, field, formOf, markdownField, otherFaults } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';

/** What the form of an issue holds. */
export interface IssueDraft extends Chosen {
  readonly title: string;
  readonly description: string;
  readonly dueDate: string;
  readonly isConfidential: boolean;
}

/** What was sent with the form. */
export function draftIn(visit: Visit): IssueDraft {
  const { title = '', description = '', due_date: dueDate = '', confidential } = visit.form;
  return {
    ...submittedChoices(visit),
    title,
    description,
    dueDate,
    isConfidential: confidential === '1',
  };
}

interface IssueForm {
  readonly heading: string;
  readonly submit: string;
  readonly address: string;
  readonly cancel: string;
  readonly draft: IssueDraft;
  readonly current: CurrentChoices;
  /** Whether the user sets labels, milestone, assignees and the due date. */
  readonly canAdminister: boolean;
  /** Whether the form has the checkbox for confidentiality. */
  readonly canHide: boolean;
  readonly fault?: Fault | undefined;
}

const shownFields: readonly string[] = ['title', 'description', 'dueDate', ...namedFields];

/** The page with the form of a new or existing issue. */
export async function issueForm(
  visit: Visit,
  project: Project,
  form: IssueForm,
): Promise<ShownPage> {
  const { heading, submit, address, cancel, draft, current, canAdminister, canHide, fault } = form;
  const faults = fault?.fields ?? {};
  const choices = canAdminister ? await choicesIn(visit, project) : null;
  const controls = html`${field({ name: 'title', label: 'Title', value: draft.title, isRequired: true, fault: faultText(faults, 'title', 'Title') })}
${markdownField({
  name: 'description',
  label: 'Description',
  value: draft.description,
  rows: 12,
  fault: faultText(faults, 'description', 'Description'),
  projectAddress: addressIn(visit, project),
})}
${
  canHide &&
  checkbox({
    name: 'confidential',
    label: 'Confidential',
    isChecked: draft.isConfidential,
    hint: 'Only reporters, the author and the assignees see the issue.',
  })
}
${choices && details(visit, draft, { choices, chosen: draft, current, faults })}`;
  const main = html`<h1>${heading}</h1>
${fault && alert(fault.text ?? otherFaults(faults, shownFields))}
${formOf(visit, { address, submit, cancel }, controls)}`;
  const page = projectPage(visit, project, 'issues', heading, main);
  return fault ? { ...page, status: fault.status } : page;
}

const details = (visit: Visit, draft: IssueDraft, form: ChoiceForm) =>
  html`<div class="form-columns"><div>${assigneeFields(visit, form)}</div>
<div>${labelFields(form)}</div>
<div>${milestoneFields(form)}
${field({
  name: 'due_date',
  label: 'Due date',
  type: 'date',
  value: draft.dueDate,
  fault: faultText(form.faults, 'dueDate', 'Due date'),
})}</div></div>`;
