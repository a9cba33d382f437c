import { awards } from '../discussions/awards.ts';
import { discussionOf } from '../discussions/discussion.ts';
import type { DiscussionPlace } from '../discussions/place.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { FailedPart } from '../issuables/beside.ts';
import { choicesIn } from '../issuables/choices.ts';
import { stateIcon, stateMark } from '../issuables/row.ts';
import { otherFaults } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { actionForm, alert, notice } from '../kernel/parts.ts';
import { person } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';
import { textLinking } from '../markdown/linking.ts';
import { markdown } from '../markdown/markdown.ts';
import {
  type Issue,
  issueDocument,
  type MergeRequestOfIssue,
  mostParticipants,
} from './issue-document.ts';
import { faultsBeside, sidebar } from './sidebar.ts';

/** The discussion of an issue. */
export const placeOf = (visit: Visit, project: Project, iid: number): DiscussionPlace => ({
  subject: { issue: { project: String(project.id), iid } },
  project,
  address: addressIn(visit, project, 'issues', String(iid)),
  section: 'issues',
  name: `#${iid}`,
});

/** The page of an issue; with the errors of a form beside its text. */
export async function showIssue(
  visit: Visit,
  project: Project,
  iid: number,
  failed: FailedPart | null = null,
): Promise<Answer> {
  const variables = { project: String(project.id), iid, people: mostParticipants };
  const { issue } = await visit.ask(issueDocument, variables);
  const { title, description, state, canComment, canUpdate } = issue;
  const choices = issue.project?.access.canAdministerIssues
    ? await choicesIn(visit, project)
    : null;
  const place = placeOf(visit, project, iid);
  const event = state === 'opened' ? 'close' : 'reopen';
  const discussion = { canComment, stateEvent: canUpdate ? (event as 'close' | 'reopen') : null };
  const main = html`${headOf(visit, project, issue, place.address)}
${failed && alert(failed.fault.text ?? otherFaults(failed.fault.fields, faultsBeside))}
${visit.query.todo === '1' && notice('The issue is on your to-do list.')}
<div class="columns"><div>
${description ? await markdown(visit, description, textLinking(visit, project)) : html`<p class="quiet">No description.</p>`}
${awards(visit, issue, `${place.address}/award`, 1)}
${mergeRequestsPart(visit, issue)}
${await discussionOf(visit, place, discussion)}
</div>
${sidebar(visit, { project, issue, choices, failed })}</div>`;
  const page = projectPage(visit, project, 'issues', `${title} (#${iid})`, main);
  return failed ? { ...page, status: failed.fault.status } : page;
}

function headOf(visit: Visit, project: Project, issue: Issue, address: string): Html {
  const { iid, title, state, author, createdAt, closedAt, closedBy, canUpdate } = issue;
  const isOpen = state === 'opened';
  return html`<div class="bar"><h1>${title} <span class="number">#${iid}</span></h1>
<div class="row">${
    canUpdate &&
    html`<a class="button secondary small" href="${address}/edit">${icon('pencil')}Edit</a>
${actionForm(visit, { address: `${address}/state`, label: isOpen ? 'Close issue' : 'Reopen issue', look: 'small', fields: html`<input type="hidden" name="state_event" value="${isOpen ? 'close' : 'reopen'}">` })}`
  }<a class="button small primary" href="${addressIn(visit, project, 'issues', 'new')}">New issue</a></div></div>
<p class="quiet">${stateMark('issues', state)}${
    issue.isConfidential && html` <span class="badge">${icon('eye')}confidential</span>`
  }${issue.isDiscussionLocked && html` <span class="badge">${icon('lock')}locked</span>`} opened ${when(createdAt)} by ${person(visit, author)}${
    closedAt && html` · closed ${when(closedAt)} by ${person(visit, closedBy)}`
  }</p>`;
}

/** The merge requests that close or mention the issue. */
function mergeRequestsPart(visit: Visit, issue: Issue): Html | null {
  const closing = issue.closedByMergeRequests.nodes;
  const key = ({ iid, targetProject }: MergeRequestOfIssue) => `${targetProject.fullPath}!${iid}`;
  const closingKeys = new Set(closing.map(key));
  const related = issue.relatedMergeRequests.nodes.filter((item) => !closingKeys.has(key(item)));
  const rows = (title: string, items: readonly MergeRequestOfIssue[]) =>
    items.length > 0 &&
    html`<h2>${title}</h2><ul class="entries">${items.map(
      (item) =>
        html`<li><div>${stateIcon('merge_requests', item.state)} <a class="name" href="${addressIn(visit, item.targetProject, 'merge_requests', String(item.iid))}">${item.title}</a> <span class="number">!${item.iid}</span></div></li>`,
    )}</ul>`;
  return html`${rows('Merge requests that close this issue', closing)}${rows('Related merge requests', related)}`;
}
