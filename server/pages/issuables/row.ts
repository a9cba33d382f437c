import { addressIn } from '../frame/address-in.ts';
import { avatar } from '../kernel/avatar.ts';
import { type Html, html } from '../kernel/html.ts';
import { type IconName, icon } from '../kernel/icons.ts';
import type { Visit } from '../kernel/page.ts';
import { person } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';
import { labelledIn, labelMark } from '../labels/label-mark.ts';
import type { IssuableKind } from './list-query.ts';
import type { ListedItem } from './listed.ts';

const icons: Readonly<Record<string, IconName>> = {
  'issues opened': 'issue-opened',
  'issues closed': 'issue-closed',
  'merge_requests opened': 'git-pull-request',
  'merge_requests merged': 'git-merge',
  'merge_requests closed': 'git-pull-request-closed',
  'merge_requests locked': 'git-pull-request',
};

/** An icon in the colour of a state, with its name for screen readers. */
export const stateIcon = (kind: IssuableKind, state: string): Html =>
  html`<span class="state-icon ${state}" title="${state}">${icon(icons[`${kind} ${state}`] ?? 'issue-opened')}<span class="unseen">${state}</span></span>`;

const stateNames: Readonly<Record<string, string>> = {
  opened: 'Open',
  closed: 'Closed',
  merged: 'Merged',
  locked: 'Locked',
};

/** The state as a badge in its colour. */
export const stateMark = (kind: IssuableKind, state: string): Html =>
  html`<span class="state ${state}">${icon(icons[`${kind} ${state}`] ?? 'issue-opened')}${stateNames[state] ?? state}</span>`;

/** People whose pictures a row shows. */
const mostPeople = 3;

/** One row of a list of issues or merge requests; `list` is the address of its label links. */
export function issuableRow(
  visit: Visit,
  kind: IssuableKind,
  item: ListedItem,
  { list, withProject }: { readonly list: string; readonly withProject: boolean },
): Html {
  const { projectPath, iid, title, state, labels, milestone, dueDate, branches } = item;
  const address = addressIn(visit, { fullPath: projectPath }, kind, String(iid));
  const sign = kind === 'issues' ? '#' : '!';
  const reference = `${withProject ? projectPath : ''}${sign}${iid}`;
  return html`<div class="issuable">${stateIcon(kind, state)}
<div><a class="name" href="${address}">${title}</a>${marksOf(item)}
${labels.map((label) => html` ${labelMark(label, labelledIn(list, label.name))}`)}
<div class="quiet facts"><span>${reference} · opened ${when(item.createdAt)} by ${person(visit, item.author)}</span>${
    branches && html`<span>${icon('git-branch')}${branches[0]} → ${branches[1]}</span>`
  }${milestone && html`<span>${icon('milestone')}${milestone.title}</span>`}${
    dueDate &&
    html`<span${isOverdue(item) && html` class="overdue"`}>${icon('calendar')}${dueDate}</span>`
  }</div></div>
<div class="quiet facts">${assigneesOf(item)}${
    item.upvotes > 0 && html`<span title="Votes">👍 ${item.upvotes}</span>`
  }${
    item.userNotesCount > 0 &&
    html`<span title="Comments">${icon('comment')}${item.userNotesCount}<span class="unseen"> comments</span></span>`
  }</div></div>`;
}

const marksOf = ({ isConfidential, isDiscussionLocked, isDraft }: ListedItem): Html =>
  html`${isConfidential && html` <span class="badge">${icon('eye')}confidential</span>`}${
    isDiscussionLocked && html` <span class="badge">${icon('lock')}locked</span>`
  }${isDraft && html` <span class="badge">draft</span>`}`;

/** Whether an open issue is past its due date. */
export const isOverdue = ({ state, dueDate }: Pick<ListedItem, 'state' | 'dueDate'>): boolean =>
  state === 'opened' && dueDate !== null && dueDate < new Date().toISOString().slice(0, 10);

function assigneesOf({ assignees }: ListedItem): Html | null {
  if (assignees.length === 0) return null;
  const names = assignees.map(({ name }) => name).join(', ');
  const more = assignees.length - mostPeople;
  return html`<span title="Assigned to ${names}">${assignees.slice(0, mostPeople).map((user) => avatar(user))}${
    more > 0 && html` +${more}`
  }<span class="unseen">Assigned to ${names}</span></span>`;
}
