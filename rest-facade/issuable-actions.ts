import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import type { Paging, Site } from '../schema/client/operation.ts';
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
import { basicUserFields } from './entities/user.ts';
import { p } from './kernel/params.ts';
import { type Route, route } from './kernel/route.ts';

type Document<Data, Variables = unknown> = TypedDocumentNode<
  Data,
  { project: string; iid: number } & Variables
>;

interface Time {
  readonly result: Timed;
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
  readonly subscribe: Document<{ change: { hasChanged: boolean; result: Full } }>;
  readonly unsubscribe: Document<{ change: { hasChanged: boolean; result: Full } }>;
  readonly reshape: (record: Full, site: Site) => unknown;
  readonly timeStats: Document<Time>;
  readonly setTimeEstimate: Document<Time, { duration: string }>;
  readonly addSpentTime: Document<Time, { duration: string }>;
  readonly resetSpentTime: Document<Time>;
  readonly participants: Document<
    { issuable: { page: Page<ResultOf<typeof basicUserFields>> } },
    PageVariables
  >;
  /** The merge requests that close the issue; the issues that the merge request closes. */
  readonly related: {
    readonly path: string;
    readonly document: Document<{ issuable: { page: Page<Related> } }, PageVariables>;
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
  const timed = { reshape: timeStats };
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
        reshape: kind.reshape as (record: unknown, site: Site) => unknown,
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
    }),
    route({
      ...get,
      ...below(kind.related.path),
      access: 'signed in',
      document: kind.related.document,
      variables: paged,
      reshape: kind.related.reshape,
    }),
  ];
}

export const issueActions = actionRoutes({
  parent: noteableIssue,
  readers: 'signed in',
  subscribe: graphql(
    `mutation SubscribeToIssue($project: ID!, $iid: Int!) {
      change: subscribeToIssue(project: $project, iid: $iid) {
        hasChanged result: issue { ...FullIssueFields }
      }
    }`,
    [fullIssueFields],
  ),
  unsubscribe: graphql(
    `mutation UnsubscribeFromIssue($project: ID!, $iid: Int!) {
      change: unsubscribeFromIssue(project: $project, iid: $iid) {
        hasChanged result: issue { ...FullIssueFields }
      }
    }`,
    [fullIssueFields],
  ),
  reshape: fullIssue,
  timeStats: graphql(`query IssueTimeStats($project: ID!, $iid: Int!) {
      result: issue(project: $project, iid: $iid) {
        timeEstimate totalTimeSpent
      }
    }`),
  setTimeEstimate:
    graphql(`mutation SetIssueTimeEstimate($project: ID!, $iid: Int!, $duration: String!) {
      result: setIssueTimeEstimate(project: $project, iid: $iid, duration: $duration) {
        timeEstimate totalTimeSpent
      }
    }`),
  addSpentTime: graphql(`mutation AddIssueSpentTime($project: ID!, $iid: Int!, $duration: String!) {
      result: addIssueSpentTime(project: $project, iid: $iid, duration: $duration) {
        timeEstimate totalTimeSpent
      }
    }`),
  resetSpentTime: graphql(`mutation ResetIssueSpentTime($project: ID!, $iid: Int!) {
      result: resetIssueSpentTime(project: $project, iid: $iid) {
        timeEstimate totalTimeSpent
      }
    }`),
  participants: graphql(
    `query IssueParticipants($project: ID!, $iid: Int!, $page: Int, $perPage: Int) {
      issuable: issue(project: $project, iid: $iid) {
        page: participants(page: $page, perPage: $perPage) { total nodes { ...BasicUserFields } }
      }
    }`,
    [basicUserFields],
  ),
  related: {
    path: 'closed_by',
    document: graphql(
      `query IssueClosedBy($project: ID!, $iid: Int!, $page: Int, $perPage: Int) {
        issuable: issue(project: $project, iid: $iid) {
          page: closedBy(page: $page, perPage: $perPage) { total nodes { ...MergeRequestFields } }
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
        hasChanged result: mergeRequest { ...FullMergeRequestFields }
      }
    }`,
    [fullMergeRequestFields],
  ),
  unsubscribe: graphql(
    `mutation UnsubscribeFromMergeRequest($project: ID!, $iid: Int!) {
      change: unsubscribeFromMergeRequest(project: $project, iid: $iid) {
        hasChanged result: mergeRequest { ...FullMergeRequestFields }
      }
    }`,
    [fullMergeRequestFields],
  ),
  reshape: fullMergeRequest,
  timeStats: graphql(`query MergeRequestTimeStats($project: ID!, $iid: Int!) {
      result: mergeRequest(project: $project, iid: $iid) {
        timeEstimate totalTimeSpent
      }
    }`),
  setTimeEstimate:
    graphql(`mutation SetMergeRequestTimeEstimate($project: ID!, $iid: Int!, $duration: String!) {
      result: setMergeRequestTimeEstimate(project: $project, iid: $iid, duration: $duration) {
        timeEstimate totalTimeSpent
      }
    }`),
  addSpentTime:
    graphql(`mutation AddMergeRequestSpentTime($project: ID!, $iid: Int!, $duration: String!) {
      result: addMergeRequestSpentTime(project: $project, iid: $iid, duration: $duration) {
        timeEstimate totalTimeSpent
      }
    }`),
  resetSpentTime: graphql(`mutation ResetMergeRequestSpentTime($project: ID!, $iid: Int!) {
      result: resetMergeRequestSpentTime(project: $project, iid: $iid) {
        timeEstimate totalTimeSpent
      }
    }`),
  participants: graphql(
    `query MergeRequestParticipants($project: ID!, $iid: Int!, $page: Int, $perPage: Int) {
      issuable: mergeRequest(project: $project, iid: $iid) {
        page: participants(page: $page, perPage: $perPage) { total nodes { ...BasicUserFields } }
      }
    }`,
    [basicUserFields],
  ),
  related: {
    path: 'closes_issues',
    document: graphql(
      `query MergeRequestClosesIssues($project: ID!, $iid: Int!, $page: Int, $perPage: Int) {
        issuable: mergeRequest(project: $project, iid: $iid) {
          page: closesIssues(page: $page, perPage: $perPage) { total nodes { ...IssueFields } }
        }
      }`,
      [issueFields],
    ),
    reshape: issue,
  },
});
