import { formatDuration } from '../../../schema/kernel/duration.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import {
  assigneeFields,
  type ChoiceForm,
  labelFields,
  milestoneFields,
  namedFields,
} from '../issuables/choice-fields.ts';
import { type Choices, type Chosen, chosenIn, formerOf, noOthers } from '../issuables/choices.ts';
import { isOverdue } from '../issuables/row.ts';
import type { Fault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, formOf } from '../kernel/forms.ts';
import { type Html, html, type Shown } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Visit } from '../kernel/page.ts';
import { face, person } from '../kernel/people.ts';
import { labelledIn, labelMark } from '../labels/label-mark.ts';
import type { Issue } from './issue-document.ts';
import { actionsOf } from './sidebar-actions.ts';

/** A form beside the text that was refused, by the last word of its address. */
export interface FailedPart {
  readonly part: string;
  readonly fault: Fault;
}

/** The errors that the forms show at their fields. */
export const faultsBeside: readonly string[] = [...namedFields, 'dueDate'];

interface Sidebar {
  readonly project: Project;
  readonly issue: Issue;
  /** Null: the user may not change what issues have. */
  readonly choices: Choices | null;
  readonly failed: FailedPart | null;
}

/** The column beside the text of an issue. */
export function sidebar(visit: Visit, shown: Sidebar): Html {
  const { project, issue, choices } = shown;
  const { assignees, labels, milestone, dueDate, isConfidential, isDiscussionLocked } = issue;
  const list = addressIn(visit, project, 'issues');
  const edit = editorsOf(visit, shown);
  return html`<aside aria-label="Details">
${part(
  'Assignees',
  assignees.length === 0
    ? none
    : html`<ul class="plain">${assignees.map((user) => html`<li>${person(visit, user)}</li>`)}</ul>`,
  edit('assignees', (form) => assigneeFields(visit, form)),
)}
${part(
  'Labels',
  labels.length === 0
    ? none
    : labels.map((label) => html`${labelMark(label, labelledIn(list, label.name))} `),
  edit('labels', labelFields),
)}
${part(
  'Milestone',
  milestone
    ? html`<a href="${`${list}?${new URLSearchParams({ milestone_title: milestone.title })}`}">${icon('milestone')} ${milestone.title}</a>`
    : none,
  edit('milestone', milestoneFields),
)}
${part(
  'Due date',
  dueDate
    ? html`<span${isOverdue(issue) && html` class="overdue"`}>${icon('calendar')} ${dueDate}</span>`
    : none,
  edit('due_date', ({ faults }, typed) =>
    field({
      name: 'due_date',
      label: 'Due date',
      type: 'date',
      value: typed.due_date ?? dueDate ?? '',
      fault: faultText(faults, 'dueDate', 'Due date'),
    }),
  ),
)}
${part('Time tracking', timeSpent(issue), edit('time', timeFields))}
${part(
  'Visibility',
  html`${isConfidential ? html`${icon('eye')} Confidential` : 'Visible to all who see the project'}${
    isDiscussionLocked && html`<br>${icon('lock')} Discussion locked`
  }`,
)}
${participantsPart(visit, issue)}
<section><h2 class="unseen">Actions</h2><div class="sidebar-actions">${actionsOf(visit, { project, issue, canAdminister: choices !== null })}</div></section>
</aside>`;
}

/** Forms that change one thing each; a refused one is open and has what was typed. */
function editorsOf(visit: Visit, { project, issue, choices, failed }: Sidebar) {
  const address = addressIn(visit, project, 'issues', String(issue.iid));
  const { assignees, labels, milestone } = issue;
  const former = formerOf(assignees, milestone);
  const stored: Chosen = {
    labels: labels.map(({ name }) => name),
    milestone: String(milestone?.id ?? ''),
    assignees: assignees.map(({ id }) => String(id)),
    others: noOthers,
  };
  return (
    name: string,
    controls: (form: ChoiceForm, typed: Visit['form']) => Html,
  ): Html | null => {
    if (!choices) return null;
    const fault = failed?.part === name ? failed.fault : null;
    const chosen = fault ? chosenIn(visit) : stored;
    const form = { choices, chosen, former, faults: fault?.fields ?? {} };
    return html`<details class="editor"${fault && html` open`}><summary>Edit</summary>${formOf(
      visit,
      { address: `${address}/${name}`, submit: 'Save' },
      controls(form, fault ? visit.form : {}),
    )}</details>`;
  };
}

const none = html`<span class="quiet">None</span>`;

const part = (title: string, content: Shown, editing: Html | null = null): Html =>
  html`<section><h2>${title}</h2>${content}${editing}</section>`;

function timeSpent({ timeEstimate, totalTimeSpent }: Issue): Html {
  return html`${timeEstimate === 0 && totalTimeSpent === 0 ? none : html`Spent ${formatDuration(totalTimeSpent)}${timeEstimate > 0 && html` of ${formatDuration(timeEstimate)}`}`}${
    timeEstimate > 0 &&
    html`<progress max="${timeEstimate}" value="${Math.min(totalTimeSpent, timeEstimate)}" aria-label="Time spent"></progress>`
  }`;
}

const timeFields = (_form: ChoiceForm, { spent = '', estimate = '' }: Visit['form']): Html =>
  html`${field({ name: 'spent', label: 'Add time spent', value: spent, placeholder: '1h 30m', hint: 'A negative duration subtracts.' })}
${field({ name: 'estimate', label: 'Estimate', value: estimate, placeholder: '2d' })}`;

function participantsPart(visit: Visit, { participants }: Issue): Html {
  const { total, nodes } = participants;
  const more = total - nodes.length;
  return part(
    total === 1 ? '1 participant' : `${total} participants`,
    html`<p class="row">${nodes.map((user) => face(visit, user))}${more > 0 && html`<span class="quiet">and ${more} more</span>`}</p>`,
  );
}
