import { graphql, type VariablesOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { changeState } from '../discussions/state-event.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { resolveChoices, submittedChoices } from '../issuables/choices.ts';
import { foundBy, orFault } from '../kernel/fault.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { showIssue } from './show-issue.ts';
import { dayOf } from './write-issue.ts';

const update = graphql(`mutation ChangeIssuePart($project: ID!, $iid: Int!, $change: IssueChange!) {
  updateIssue(project: $project, iid: $iid, change: $change) { iid }
}`);

const documents = {
  subscribe: graphql(`mutation SubscribeToShownIssue($project: ID!, $iid: Int!) {
    changed: subscribeToIssue(project: $project, iid: $iid) { hasChanged }
  }`),
  unsubscribe: graphql(`mutation UnsubscribeFromShownIssue($project: ID!, $iid: Int!) {
    changed: unsubscribeFromIssue(project: $project, iid: $iid) { hasChanged }
  }`),
  todo: graphql(`mutation AddIssueTodo($project: ID!, $iid: Int!) {
    createIssueTodo(project: $project, iid: $iid) { hasChanged }
  }`),
  delete: graphql(`mutation DeleteShownIssue($project: ID!, $iid: Int!) {
    deleteIssue(project: $project, iid: $iid)
  }`),
  move: graphql(`mutation MoveShownIssue($project: ID!, $iid: Int!, $to: ID!) {
    moveIssue(project: $project, iid: $iid, to: $to) { iid project { fullPath } }
  }`),
  estimate: graphql(`mutation EstimateShownIssue($project: ID!, $iid: Int!, $duration: String!) {
    setIssueTimeEstimate(project: $project, iid: $iid, duration: $duration) { iid }
  }`),
  spend: graphql(`mutation SpendTimeOnShownIssue($project: ID!, $iid: Int!, $duration: String!) {
    addIssueSpentTime(project: $project, iid: $iid, duration: $duration) { iid }
  }`),
};

interface Target {
  readonly visit: Visit;
  readonly project: string;
  readonly iid: number;
  /** The page of the issue. */
  readonly address: string;
}

/** Changes an issue; gives the next page. */
type Action = (target: Target) => Promise<string>;

type Change = VariablesOf<typeof update>['change'];

const change =
  (changeOf: (visit: Visit) => Change): Action =>
  async ({ visit, project, iid, address }) => {
    await visit.ask(update, { project, iid, change: changeOf(visit) });
    return address;
  };

/** Changes one of the fields that a form offers choices for. */
const choose =
  (name: 'labels' | 'milestoneId' | 'assigneeIds'): Action =>
  async ({ visit, project, iid, address }) => {
    const resolved = await resolveChoices(visit, project, submittedChoices(visit));
    await visit.ask(update, { project, iid, change: { [name]: resolved[name] } });
    return address;
  };

/** The forms on the page of an issue by the last segment of their address. */
const actions: Readonly<Record<string, Action>> = {
  assignees: choose('assigneeIds'),
  labels: choose('labels'),
  milestone: choose('milestoneId'),
  due_date: change(({ form }) => ({ dueDate: dayOf(form.due_date ?? '') })),
  hide: change(() => ({ isConfidential: true })),
  unhide: change(() => ({ isConfidential: false })),
  lock: change(() => ({ isDiscussionLocked: true })),
  unlock: change(() => ({ isDiscussionLocked: false })),
  async state({ visit, project, iid, address }) {
    await changeState(visit, { issue: { project, iid } }, visit.form.state_event ?? '');
    return address;
  },
  async time({ visit, project, iid, address }) {
    const { spent = '', estimate = '' } = visit.form;
    if (spent.trim() !== '') await visit.ask(documents.spend, { project, iid, duration: spent });
    if (estimate.trim() !== '') {
      await visit.ask(documents.estimate, { project, iid, duration: estimate });
    }
    return address;
  },
  async subscribe({ visit, project, iid, address }) {
    await visit.ask(documents.subscribe, { project, iid });
    return address;
  },
  async unsubscribe({ visit, project, iid, address }) {
    await visit.ask(documents.unsubscribe, { project, iid });
    return address;
  },
  async todo({ visit, project, iid, address }) {
    await visit.ask(documents.todo, { project, iid });
    return `${address}?todo=1`;
  },
  async move({ visit, project, iid }) {
    const to = (visit.form.to ?? '').trim();
    const { moveIssue } = await foundBy('project', () =>
      visit.ask(documents.move, { project, iid, to }),
    );
    const target = moveIssue.project ?? { fullPath: to };
    return addressIn(visit, target, 'issues', String(moveIssue.iid));
  },
  async delete({ visit, project, iid, address }) {
    await visit.ask(documents.delete, { project, iid });
    return address.slice(0, address.lastIndexOf('/'));
  },
};

/** Handles a form on the page of an issue; shows the page again with its errors. */
export function submitPart(
  visit: Visit,
  project: Project,
  iid: number,
  part: string,
): Promise<Answer> {
  const action = Object.hasOwn(actions, part) ? actions[part] : undefined;
  if (!action) throw pathNotFound();
  const address = addressIn(visit, project, 'issues', String(iid));
  const work = async () => {
    const target = { visit, project: String(project.id), iid, address };
    return { redirect: await action(target) };
  };
  return orFault(visit, work, (fault) => showIssue(visit, project, iid, { part, fault }));
}
