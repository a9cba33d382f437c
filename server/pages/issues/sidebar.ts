import { formatDuration } from '../../../schema/kernel/duration.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { isOverdue } from '../issuables/row.ts';
import { field, formOf } from '../kernel/forms.ts';
import { type Html, html, type Shown } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Visit } from '../kernel/page.ts';
import { face, person } from '../kernel/people.ts';
import { labelledIn, labelMark } from '../labels/label-mark.ts';
import { assigneeBoxes, type Choices, labelBoxes, milestoneSelect } from './choices.ts';
import type { Issue } from './issue-document.ts';
import { actionsOf } from './sidebar-actions.ts';

interface Sidebar {
  readonly project: Project;
  readonly issue: Issue;
  /** Null: the user may not change what issues have. */
  readonly choices: Choices | null;
}

/** The column beside the text of an issue. */
export function sidebar(visit: Visit, { project, issue, choices }: Sidebar): Html {
  const { assignees, labels, milestone, dueDate, isConfidential, isDiscussionLocked } = issue;
  const address = addressIn(visit, project, 'issues', String(issue.iid));
  const list = addressIn(visit, project, 'issues');
  const edit = (part: string, controls: Html) =>
    choices && editor(visit, `${address}/${part}`, controls);
  const former = assignees.map(({ id, name, username }) => ({
    value: String(id),
    text: `${name} (@${username})`,
  }));
  const formerMilestone = milestone ? [{ value: String(milestone.id), text: milestone.title }] : [];
  const chosen = former.map(({ value }) => value);
  return html`<aside aria-label="Details">
${part(
  'Assignees',
  assignees.length === 0
    ? none
    : html`<ul class="plain">${assignees.map((user) => html`<li>${person(visit, user)}</li>`)}</ul>`,
  choices && edit('assignees', assigneeBoxes(choices, chosen, former)),
)}
${part(
  'Labels',
  labels.length === 0
    ? none
    : labels.map((label) => html`${labelMark(label, labelledIn(list, label.name))} `),
  choices &&
    edit(
      'labels',
      labelBoxes(
        choices,
        labels.map(({ name }) => name),
      ),
    ),
)}
${part(
  'Milestone',
  milestone
    ? html`<a href="${`${list}?${new URLSearchParams({ milestone_title: milestone.title })}`}">${icon('milestone')} ${milestone.title}</a>`
    : none,
  choices &&
    edit('milestone', milestoneSelect(choices, String(milestone?.id ?? ''), formerMilestone)),
)}
${part(
  'Due date',
  dueDate
    ? html`<span${isOverdue(issue) && html` class="overdue"`}>${icon('calendar')} ${dueDate}</span>`
    : none,
  edit(
    'due_date',
    field({ name: 'due_date', label: 'Due date', type: 'date', value: dueDate ?? '' }),
  ),
)}
${timePart(visit, address, issue, choices !== null)}
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

const none = html`<span class="quiet">None</span>`;

const part = (title: string, content: Shown, editing: Html | null = null): Html =>
  html`<section><h2>${title}</h2>${content}${editing}</section>`;

const editor = (visit: Visit, address: string, controls: Html): Html =>
  html`<details class="editor"><summary>Edit</summary>${formOf(visit, { address, submit: 'Save' }, controls)}</details>`;

function timePart(visit: Visit, address: string, issue: Issue, canTrack: boolean): Html {
  const { timeEstimate, totalTimeSpent } = issue;
  const shown = html`${timeEstimate === 0 && totalTimeSpent === 0 ? none : html`Spent ${formatDuration(totalTimeSpent)}${timeEstimate > 0 && html` of ${formatDuration(timeEstimate)}`}`}${
    timeEstimate > 0 &&
    html`<progress max="${timeEstimate}" value="${Math.min(totalTimeSpent, timeEstimate)}" aria-label="Time spent"></progress>`
  }`;
  if (!canTrack) return part('Time tracking', shown);
  const controls = html`${field({ name: 'spent', label: 'Add time spent', placeholder: '1h 30m', hint: 'A negative duration subtracts.' })}
${field({ name: 'estimate', label: 'Estimate', placeholder: '2d' })}`;
  return part('Time tracking', shown, editor(visit, `${address}/time`, controls));
}

function participantsPart(visit: Visit, { participants }: Issue): Html {
  const { total, nodes } = participants;
  const more = total - nodes.length;
  return part(
    total === 1 ? '1 participant' : `${total} participants`,
    html`<p class="row">${nodes.map((user) => face(visit, user))}${more > 0 && html`<span class="quiet">and ${more} more</span>`}</p>`,
  );
}
