import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import type { Visit } from '../kernel/page.ts';
import type { Subject } from './place.ts';

const issue = graphql(`mutation ChangeIssueState($project: ID!, $iid: Int!, $event: StateEvent!) {
  updateIssue(project: $project, iid: $iid, change: { stateEvent: $event }) { iid }
}`);

const mergeRequest = graphql(`mutation ChangeMergeRequestState(
  $project: ID!, $iid: Int!, $event: StateEvent!
) {
  updateMergeRequest(project: $project, iid: $iid, change: { stateEvent: $event }) { iid }
}`);

/** Closes or reopens an issue or merge request. */
export async function changeState(visit: Visit, subject: Subject, text: string): Promise<void> {
  const event = (['close', 'reopen'] as const).find((name) => name === text);
  if (!event) throw pathNotFound();
  if ('issue' in subject) await visit.ask(issue, { ...subject.issue, event });
  else if ('mergeRequest' in subject) {
    await visit.ask(mergeRequest, { ...subject.mergeRequest, event });
  } else throw pathNotFound();
}
