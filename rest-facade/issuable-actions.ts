import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import type { Paging } from '../schema/client/operation.ts';
import {
  fullIssue,
  fullIssueFields,
  issue,
  issueFields,
  type Timed,
  timeStats,
} from './entities/issue.ts';
import {
  fullMergeRequest,
  fullMergeRequestFields,
  mergeRequest,
  mergeRequestFields,
} from './entities/merge-request.ts';
import {
  type NoteableParent,
  noteableIssue,
  noteableMergeRequest,
  numberOf,
  withinNoteable,
} from './entities/noteable.ts';
import { basicUser, basicUserFields } from './entities/user.ts';
import { p } from './kernel/params.ts';
import { type Route, route } from './kernel/route.ts';

type Document<Data, Variables = unknown> = TypedDocumentNode<
  Data,
  { project: string; iid: number } & Variables
>;

interface Time {
  readonly issuable: Timed;
}

interface Page<Node> {
  readonly total: number;
  readonly nodes: readonly Node[];
}

interface PageVariables {
  page?: number | null;
  perPage?: number | null;
}

/** The documents of issues or of merge requests. */
interface Kind<Full, Related> {
  readonly parent: NoteableParent;
  /** Who may send the GET requests. */
  readonly readers: Route['access'];
  readonly subscribe: Document<{ change: { hasChanged: boolean; issuable: Full } }>;
  readonly unsubscribe: Document<{ change: { hasChanged: boolean; issuable: Full } }>;
  readonly reshape: (record: Full, url: string) => unknown;
  readonly timeStats: Document<Time>;
  readonly setTimeEstimate: Document<Time, { duration: string }>;
  readonly addSpentTime: Document<Time, { duration: string }>;
  readonly resetSpentTime: Document<Time>;
  readonly participants: Document<
    { issuable: { participants: Page<ResultOf<typeof basicUserFields>> } },
    PageVariables
  >;
  /** The merge requests that close the issue; the issues that the merge request closes. */
  readonly related: {
    readonly path: string;
    readonly document: Document<{ issuable: { related: Page<Related> } }, PageVariables>;
    readonly reshape: (record: Related) => unknown;
  };
}

function actionRoutes<Full, Related>(kind: Kind<Full, Related>): readonly Route[] {
  const { parent } = kind;
  const below = <Path extends string>(path: Path) => ({ path: `${parent.path}/${path}` }) as const;
  const within = withinNoteable(parent);
  const params = z.object(within);
  const variables = (params: { readonly id: string }) => ({
    project: params.id,
    iid: numberOf(parent, params),
  });
  const paged = ({ page, perPage, ...params }: { readonly id: string } & Paging) => ({
    ...variables(params),
    page,
    perPage,
  });
  const timed = { reshape: ({ issuable }: Time) => timeStats(issuable) };
  const withDuration = {
    params: z.object({ ...within, duration: p.text() }),
    variables: ({ duration, ...params }: { readonly id: string; readonly duration: string }) => ({
      ...variables(params),
      duration,
    }),
  };
  const post = { method: 'post', access: 'signed in' } as const;
  const get = { method: 'get', params } as const;
  return [
    ...(['subscribe', 'unsubscribe'] as const).map((action) =>
      route({
        ...post,
        ...below(action),
        params,
        document: kind[action],
        variables,
        // a subscription that is already as requested is answered with 304
        status: ({ change }) => (change.hasChanged ? 201 : 304),
        reshape: ({ change }, _params, { url }) => kind.reshape(change.issuable, url),
      }),
    ),
    route({
      ...get,
      ...below('time_stats'),
      access: kind.readers,
      document: kind.timeStats,
      variables,
      ...timed,
    }),
    route({
      ...post,
      ...below('time_estimate'),
      status: 200,
      document: kind.setTimeEstimate,
      ...withDuration,
      ...timed,
    }),
    route({
      ...post,
      ...below('reset_time_estimate'),
      status: 200,
      params,
      document: kind.setTimeEstimate,
      variables: (params) => ({ ...variables(params), duration: '0' }),
      ...timed,
    }),
    route({
      ...post,
      ...below('add_spent_time'),
      document: kind.addSpentTime,
      ...withDuration,
      ...timed,
    }),
    route({
      ...post,
      ...below('reset_spent_time'),
      status: 200,
      params,
      document: kind.resetSpentTime,
      variables,
      ...timed,
    }),
    route({
      ...get,
      ...below('participants'),
      access: kind.readers,
      document: kind.participants,
      variables: paged,
      page: ({ issuable }) => issuable.participants.total,
      reshape: ({ issuable }) => issuable.participants.nodes.map(basicUser),
    }),
    route({
      ...get,
      ...below(kind.related.path),
      access: 'signed in',
      document: kind.related.document,
      variables: paged,
      page: ({ issuable }) => issuable.related.total,
      reshape: ({ issuable }) => issuable.related.nodes.map(kind.related.reshape),
    }),
  ];
}

export const issueActions = actionRoutes({
  parent: noteableIssue,
  readers: 'signed in',
  subscribe: graphql(
    `mutation SubscribeToIssue($project: ID!, $iid: Int!) {
      change: subscribeToIssue(project: $project, iid: $iid) {
        hasChanged issuable: issue { ...FullIssueFields }
      }
    }`,
    [fullIssueFields],
  ),
  unsubscribe: graphql(
    `mutation UnsubscribeFromIssue($project: ID!, $iid: Int!) {
      change: unsubscribeFromIssue(project: $project, iid: $iid) {
        hasChanged issuable: issue { ...FullIssueFields }
      }
    }`,
    [fullIssueFields],
  ),
  reshape: fullIssue,
  timeStats: graphql(`query IssueTimeStats($project: ID!, $iid: Int!) {
      issuable: issue(project: $project, iid: $iid) {
        timeEstimate totalTimeSpent
      }
    }`),
  setTimeEstimate:
    graphql(`mutation SetIssueTimeEstimate($project: ID!, $iid: Int!, $duration: String!) {
      issuable: setIssueTimeEstimate(project: $project, iid: $iid, duration: $duration) {
        timeEstimate totalTimeSpent
      }
    }`),
  addSpentTime: graphql(`mutation AddIssueSpentTime($project: ID!, $iid: Int!, $duration: String!) {
      issuable: addIssueSpentTime(project: $project, iid: $iid, duration: $duration) {
        timeEstimate totalTimeSpent
      }
    }`),
  resetSpentTime: graphql(`mutation ResetIssueSpentTime($project: ID!, $iid: Int!) {
      issuable: resetIssueSpentTime(project: $project, iid: $iid) {
        timeEstimate totalTimeSpent
      }
    }`),
  participants: graphql(
    `query IssueParticipants($project: ID!, $iid: Int!, $page: Int, $perPage: Int) {
      issuable: issue(project: $project, iid: $iid) {
        participants(page: $page, perPage: $perPage) { total nodes { ...BasicUserFields } }
      }
    }`,
    [basicUserFields],
  ),
  related: {
    path: 'closed_by',
    document: graphql(
      `query IssueClosedBy($project: ID!, $iid: Int!, $page: Int, $perPage: Int) {
        issuable: issue(project: $project, iid: $iid) {
          related: closedBy(page: $page, perPage: $perPage) { total nodes { ...MergeRequestFields } }
        }
      }`,
      [mergeRequestFields],
    ),
    reshape: mergeRequest,
  },
});

export const mergeRequestActions = actionRoutes({
  parent: noteableMergeRequest,
  readers: 'anyone',
  subscribe: graphql(
    `mutation SubscribeToMergeRequest($project: ID!, $iid: Int!) {
      change: subscribeToMergeRequest(project: $project, iid: $iid) {
        hasChanged issuable: mergeRequest { ...FullMergeRequestFields }
      }
    }`,
    [fullMergeRequestFields],
  ),
  unsubscribe: graphql(
    `mutation UnsubscribeFromMergeRequest($project: ID!, $iid: Int!) {
      change: unsubscribeFromMergeRequest(project: $project, iid: $iid) {
        hasChanged issuable: mergeRequest { ...FullMergeRequestFields }
      }
    }`,
    [fullMergeRequestFields],
  ),
  reshape: fullMergeRequest,
  timeStats: graphql(`query MergeRequestTimeStats($project: ID!, $iid: Int!) {
      issuable: mergeRequest(project: $project, iid: $iid) {
        timeEstimate totalTimeSpent
      }
    }`),
  setTimeEstimate:
    graphql(`mutation SetMergeRequestTimeEstimate($project: ID!, $iid: Int!, $duration: String!) {
      issuable: setMergeRequestTimeEstimate(project: $project, iid: $iid, duration: $duration) {
        timeEstimate totalTimeSpent
      }
    }`),
  addSpentTime:
    graphql(`mutation AddMergeRequestSpentTime($project: ID!, $iid: Int!, $duration: String!) {
      issuable: addMergeRequestSpentTime(project: $project, iid: $iid, duration: $duration) {
        timeEstimate totalTimeSpent
      }
    }`),
  resetSpentTime: graphql(`mutation ResetMergeRequestSpentTime($project: ID!, $iid: Int!) {
      issuable: resetMergeRequestSpentTime(project: $project, iid: $iid) {
        timeEstimate totalTimeSpent
      }
    }`),
  participants: graphql(
    `query MergeRequestParticipants($project: ID!, $iid: Int!, $page: Int, $perPage: Int) {
      issuable: mergeRequest(project: $project, iid: $iid) {
        participants(page: $page, perPage: $perPage) { total nodes { ...BasicUserFields } }
      }
    }`,
    [basicUserFields],
  ),
  related: {
    path: 'closes_issues',
    document: graphql(
      `query MergeRequestClosesIssues($project: ID!, $iid: Int!, $page: Int, $perPage: Int) {
        issuable: mergeRequest(project: $project, iid: $iid) {
          related: closesIssues(page: $page, perPage: $perPage) { total nodes { ...IssueFields } }
        }
      }`,
      [issueFields],
    ),
    reshape: issue,
  },
});
