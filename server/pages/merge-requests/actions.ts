import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { refusal } from '../../../schema/client/execute.ts';
import { graphql, type VariablesOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { resolveChoices, submittedChoices } from '../issuables/choices.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { mergeRequestAddress } from './head.ts';

interface Place {
  readonly project: string;
  readonly iid: number;
}

type Action = (visit: Visit, place: Place) => Promise<unknown>;

const plain =
  (document: TypedDocumentNode<unknown, Place>): Action =>
  (visit, place) =>
    visit.ask(document, place);

const update = graphql(`
  mutation ChangeShownMergeRequest($project: ID!, $iid: Int!, $change: MergeRequestChange!) {
    updateMergeRequest(project: $project, iid: $iid, change: $change) { iid }
  }
`);

const titles = graphql(`
  query MergeRequestTitles($project: ID!, $iid: Int!) {
    mergeRequest(project: $project, iid: $iid) { plainTitle }
  }
`);

/** Sets or removes the mark of a draft in the title. */
const retitled =
  (prefix: string): Action =>
  async (visit, place) => {
    const { plainTitle } = (await visit.ask(titles, place)).mergeRequest;
    return visit.ask(update, { ...place, change: { title: `${prefix}${plainTitle}` } });
  };

const moved =
  (stateEvent: 'close' | 'reopen'): Action =>
  (visit, place) =>
    visit.ask(update, { ...place, change: { stateEvent } });

const accept = graphql(`
  mutation MergeShownMergeRequest($project: ID!, $iid: Int!, $merge: Merge!) {
    acceptMergeRequest(project: $project, iid: $iid, merge: $merge) { iid }
  }
`);

const merge: Action = (visit, place) => {
  const { message, sha, remove_source_branch: remove, when, at_once: atOnce } = visit.form;
  const input = {
    message: message?.replaceAll('\r\n', '\n') || null,
    sha: sha || null,
    shouldRemoveSourceBranch: remove === '1',
    mergeWhenPipelineSucceeds: when === 'pipeline' && atOnce !== '1',
  };
  return visit.ask(accept, { ...place, merge: input });
};

const approve = graphql(`
  mutation ApproveShownMergeRequest($project: ID!, $iid: Int!, $sha: String) {
    approveMergeRequest(project: $project, iid: $iid, sha: $sha) { iid }
  }
`);

/** Changes one of the fields that the column offers choices for. */
const chosen =
  (
    changeOf: (
      resolved: Awaited<ReturnType<typeof resolveChoices>>,
    ) => VariablesOf<typeof update>['change'],
  ) =>
  async (visit: Visit, place: Place) => {
    const resolved = await resolveChoices(visit, place.project, submittedChoices(visit));
    return visit.ask(update, { ...place, change: changeOf(resolved) });
  };

/** The actions by the last segment of a form's address: `/<project>/merge_requests/1/merge`. */
const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['merge', merge],
  ['assignee', chosen(({ assigneeIds }) => ({ assigneeId: assigneeIds[0] ?? null }))],
  ['labels', chosen(({ labels }) => ({ labels }))],
  ['milestone', chosen(({ milestoneId }) => ({ milestoneId }))],
  ['draft', retitled('WIP: ')],
  ['ready', retitled('')],
  ['close', moved('close')],
  ['reopen', moved('reopen')],
  ['approve', (visit, place) => visit.ask(approve, { ...place, sha: visit.form.sha || null })],
  [
    'unapprove',
    plain(
      graphql(`mutation UnapproveShownMergeRequest($project: ID!, $iid: Int!) {
        unapproveMergeRequest(project: $project, iid: $iid) { iid }
      }`),
    ),
  ],
  [
    'cancel_merge_when_pipeline_succeeds',
    plain(
      graphql(`mutation CancelShownAutomaticMerge($project: ID!, $iid: Int!) {
        cancelAutomaticMerge(project: $project, iid: $iid) { iid }
      }`),
    ),
  ],
  [
    'rebase',
    plain(
      graphql(`mutation RebaseShownMergeRequest($project: ID!, $iid: Int!) {
        rebaseMergeRequest(project: $project, iid: $iid) { iid }
      }`),
    ),
  ],
  [
    'subscribe',
    plain(
      graphql(`mutation SubscribeToShownMergeRequest($project: ID!, $iid: Int!) {
        subscribeToMergeRequest(project: $project, iid: $iid) { hasChanged }
      }`),
    ),
  ],
  [
    'unsubscribe',
    plain(
      graphql(`mutation UnsubscribeFromShownMergeRequest($project: ID!, $iid: Int!) {
        unsubscribeFromMergeRequest(project: $project, iid: $iid) { hasChanged }
      }`),
    ),
  ],
  [
    'todo',
    plain(
      graphql(`mutation AddShownMergeRequestTodo($project: ID!, $iid: Int!) {
        createMergeRequestTodo(project: $project, iid: $iid) { hasChanged }
      }`),
    ),
  ],
]);

const remove = graphql(`
  mutation DeleteShownMergeRequest($project: ID!, $iid: Int!) {
    deleteMergeRequest(project: $project, iid: $iid)
  }
`);

/** Handles the form of an action; `shown` shows the merge request with an error. */
export async function submitMergeRequestAction(
  visit: Visit,
  project: Project,
  { iid, action }: { readonly iid: number; readonly action: string },
  shown: (fault: Fault) => Promise<Answer>,
): Promise<Answer> {
  const place = { project: String(project.id), iid };
  if (action === 'delete') {
    await visit.ask(remove, place);
    return { redirect: addressIn(visit, project, 'merge_requests') };
  }
  const act = actions.get(action);
  if (!act) throw pathNotFound();
  const work = async (): Promise<Answer> => {
    await act(visit, place);
    return { redirect: mergeRequestAddress(visit, project, iid) };
  };
  return orFault(visit, () => work().catch((error: unknown) => explained(error, shown)), shown);
}

/** The page names the reasons why it cannot be merged: they may have come up meanwhile. */
function explained(error: unknown, shown: (fault: Fault) => Promise<Answer>): Promise<Answer> {
  if (refusal(error)?.reason !== 'not-mergeable') throw error;
  const text = 'The merge request cannot be merged now: see the reasons below.';
  return shown({ status: 422, text, fields: {} });
}
