import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';

/** What lists and pages of milestones show of each. */
export const milestoneFields = graphql(`
  fragment ShownMilestone on Milestone {
    id iid title description state startDate dueDate
    openIssues: issues(filter: { state: opened }, perPage: 1) { total }
    closedIssues: issues(filter: { state: closed }, perPage: 1) { total }
    allMergeRequests: mergeRequests(perPage: 1) { total }
    openMergeRequests: mergeRequests(filter: { state: opened }, perPage: 1) { total }
  }
`);

export type Milestone = ResultOf<typeof milestoneFields>;

/** The share of issues and merge requests that are done. */
export function progress(milestone: Milestone): Html {
  const { openIssues, closedIssues, allMergeRequests, openMergeRequests } = milestone;
  const all = (openIssues?.total ?? 0) + (closedIssues?.total ?? 0) + allMergeRequests.total;
  const done = (closedIssues?.total ?? 0) + allMergeRequests.total - openMergeRequests.total;
  const percent = all === 0 ? 0 : Math.floor((100 * done) / all);
  return html`<progress max="100" value="${percent}" aria-label="${milestone.title}: ${percent} % complete"></progress>
<span class="quiet">${percent} % complete · ${done} of ${all} done</span>`;
}

/** The dates of a milestone and whether it is closed or late. */
export function datesOf({ state, startDate, dueDate }: Milestone): Html {
  const isLate =
    state === 'active' && dueDate !== null && dueDate < new Date().toISOString().slice(0, 10);
  return html`<span class="facts">${
    state === 'closed' && html`<span class="state closed">Closed</span>`
  }${isLate && html`<span class="state closed">Past due</span>`}${
    startDate && html`<span>Starts ${startDate}</span>`
  }<span>${icon('calendar')}${dueDate ? `Due ${dueDate}` : 'No due date'}</span></span>`;
}
