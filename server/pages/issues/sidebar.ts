import { formatDuration } from '../../../schema/kernel/duration.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { editorsOf, type FailedPart, labelsAndMilestone, none, part } from '../issuables/beside.ts';
import { assigneeFields, type ChoiceForm, namedFields } from '../issuables/choice-fields.ts';
import type { Choices } from '../issuables/choices.ts';
import { isOverdue } from '../issuables/row.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Visit } from '../kernel/page.ts';
import { face, person } from '../kernel/people.ts';
import type { Issue } from './issue-document.ts';
import { actionsOf } from './sidebar-actions.ts';

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
  const { project, issue, choices, failed } = shown;
  const { assignees, dueDate, isConfidential, isDiscussionLocked } = issue;
  const list = addressIn(visit, project, 'issues');
  const edit = editorsOf(visit, { ...issue, address: `${list}/${issue.iid}`, choices, failed });
  return html`<aside aria-label="Details">
${part(
  'Assignees',
  assignees.length === 0
    ? none
    : html`<ul class="plain">${assignees.map((user) => html`<li>${person(visit, user)}</li>`)}</ul>`,
  edit('assignees', (form) => assigneeFields(visit, form)),
)}
${labelsAndMilestone(issue, list, edit)}
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
