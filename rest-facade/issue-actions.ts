import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { fullIssue, fullIssueFields, timeStats, timeStatsFields } from './entities/issue.ts';
import { mergeRequest, mergeRequestFields } from './entities/merge-request.ts';
import { basicUser, basicUserFields } from './entities/user.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const one = { ...ref, issue_iid: p.id() };

const variables = ({
  id,
  issue_iid: iid,
}: {
  readonly id: string;
  readonly issue_iid: number;
}) => ({
  project: id,
  iid,
});

const subscribe = graphql(
  `mutation SubscribeToIssue($project: ID!, $iid: Int!) {
    change: subscribeToIssue(project: $project, iid: $iid) {
      hasChanged issue { ...FullIssueFields }
    }
  }`,
  [fullIssueFields],
);

const unsubscribe = graphql(
  `mutation UnsubscribeFromIssue($project: ID!, $iid: Int!) {
    change: unsubscribeFromIssue(project: $project, iid: $iid) {
      hasChanged issue { ...FullIssueFields }
    }
  }`,
  [fullIssueFields],
);

const subscriptions = ([subscribe, unsubscribe] as const).map((document) =>
  route({
    method: 'post',
    path: `/projects/:id/issues/:issue_iid/${document === subscribe ? 'subscribe' : 'unsubscribe'}`,
    access: 'signed in',
    params: z.object(one),
    document,
    variables,
    // what is as the caller wants it already is answered with 304
    status: ({ change }) => (change.hasChanged ? 201 : 304),
    reshape: ({ change }, _params, { url }) => fullIssue(change.issue, url),
  }),
);

const showTimeStats = route({
  method: 'get',
  path: '/projects/:id/issues/:issue_iid/time_stats',
  access: 'signed in',
  params: z.object(one),
  document: graphql(
    `query IssueTimeStats($project: ID!, $iid: Int!) {
      issue(project: $project, iid: $iid) { ...TimeStatsFields }
    }`,
    [timeStatsFields],
  ),
  variables,
  reshape: ({ issue }) => timeStats(issue),
});

const setTimeEstimate = graphql(
  `mutation SetIssueTimeEstimate($project: ID!, $iid: Int!, $duration: String!) {
    issue: setIssueTimeEstimate(project: $project, iid: $iid, duration: $duration) {
      ...TimeStatsFields
    }
  }`,
  [timeStatsFields],
);

const estimate = route({
  method: 'post',
  path: '/projects/:id/issues/:issue_iid/time_estimate',
  access: 'signed in',
  status: 200,
  params: z.object({ ...one, duration: p.text() }),
  document: setTimeEstimate,
  variables: ({ duration, ...params }) => ({ ...variables(params), duration }),
  reshape: ({ issue }) => timeStats(issue),
});

const resetEstimate = route({
  method: 'post',
  path: '/projects/:id/issues/:issue_iid/reset_time_estimate',
  access: 'signed in',
  status: 200,
  params: z.object(one),
  document: setTimeEstimate,
  variables: (params) => ({ ...variables(params), duration: '0' }),
  reshape: ({ issue }) => timeStats(issue),
});

const spend = route({
  method: 'post',
  path: '/projects/:id/issues/:issue_iid/add_spent_time',
  access: 'signed in',
  params: z.object({ ...one, duration: p.text() }),
  document: graphql(
    `mutation AddIssueSpentTime($project: ID!, $iid: Int!, $duration: String!) {
      issue: addIssueSpentTime(project: $project, iid: $iid, duration: $duration) {
        ...TimeStatsFields
      }
    }`,
    [timeStatsFields],
  ),
  variables: ({ duration, ...params }) => ({ ...variables(params), duration }),
  reshape: ({ issue }) => timeStats(issue),
});

const resetSpent = route({
  method: 'post',
  path: '/projects/:id/issues/:issue_iid/reset_spent_time',
  access: 'signed in',
  status: 200,
  params: z.object(one),
  document: graphql(
    `mutation ResetIssueSpentTime($project: ID!, $iid: Int!) {
      issue: resetIssueSpentTime(project: $project, iid: $iid) { ...TimeStatsFields }
    }`,
    [timeStatsFields],
  ),
  variables,
  reshape: ({ issue }) => timeStats(issue),
});

const participants = route({
  method: 'get',
  path: '/projects/:id/issues/:issue_iid/participants',
  access: 'signed in',
  params: z.object(one),
  document: graphql(
    `query IssueParticipants($project: ID!, $iid: Int!, $page: Int, $perPage: Int) {
      issue(project: $project, iid: $iid) {
        participants(page: $page, perPage: $perPage) { total nodes { ...BasicUserFields } }
      }
    }`,
    [basicUserFields],
  ),
  variables: ({ page, perPage, ...params }) => ({ ...variables(params), page, perPage }),
  page: ({ issue }) => issue.participants.total,
  reshape: ({ issue }) => issue.participants.nodes.map(basicUser),
});

/** The merge requests that say of themselves that they close it. */
const closedBy = route({
  method: 'get',
  path: '/projects/:id/issues/:issue_iid/closed_by',
  access: 'signed in',
  params: z.object(one),
  document: graphql(
    `query IssueClosedBy($project: ID!, $iid: Int!, $page: Int, $perPage: Int) {
      issue(project: $project, iid: $iid) {
        closedBy(page: $page, perPage: $perPage) { total nodes { ...MergeRequestFields } }
      }
    }`,
    [mergeRequestFields],
  ),
  variables: ({ page, perPage, ...params }) => ({ ...variables(params), page, perPage }),
  page: ({ issue }) => issue.closedBy.total,
  reshape: ({ issue }) => issue.closedBy.nodes.map(mergeRequest),
});

export const issueActions = [
  ...subscriptions,
  showTimeStats,
  estimate,
  resetEstimate,
  spend,
  resetSpent,
  participants,
  closedBy,
];
