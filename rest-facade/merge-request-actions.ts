import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { issue, issueFields, timeStats } from './entities/issue.ts';
import {
  fullMergeRequest,
  fullMergeRequestFields,
  mergeRequestTimeFields,
} from './entities/merge-request.ts';
import { basicUser, basicUserFields } from './entities/user.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const one = { ...ref, merge_request_iid: p.id() };

const variables = ({
  id,
  merge_request_iid: iid,
}: {
  readonly id: string;
  readonly merge_request_iid: number;
}) => ({
  project: id,
  iid,
});

const subscribe = graphql(
  `mutation SubscribeToMergeRequest($project: ID!, $iid: Int!) {
    change: subscribeToMergeRequest(project: $project, iid: $iid) {
      hasChanged mergeRequest { ...FullMergeRequestFields }
    }
  }`,
  [fullMergeRequestFields],
);

const unsubscribe = graphql(
  `mutation UnsubscribeFromMergeRequest($project: ID!, $iid: Int!) {
    change: unsubscribeFromMergeRequest(project: $project, iid: $iid) {
      hasChanged mergeRequest { ...FullMergeRequestFields }
    }
  }`,
  [fullMergeRequestFields],
);

const subscriptions = ([subscribe, unsubscribe] as const).map((document) =>
  route({
    method: 'post',
    path: `/projects/:id/merge_requests/:merge_request_iid/${document === subscribe ? 'subscribe' : 'unsubscribe'}`,
    access: 'signed in',
    params: z.object(one),
    document,
    variables,
    // what is as the caller wants it already is answered with 304
    status: ({ change }) => (change.hasChanged ? 201 : 304),
    reshape: ({ change }) => fullMergeRequest(change.mergeRequest),
  }),
);

const showTimeStats = route({
  method: 'get',
  path: '/projects/:id/merge_requests/:merge_request_iid/time_stats',
  access: 'anyone',
  params: z.object(one),
  document: graphql(
    `query MergeRequestTimeStats($project: ID!, $iid: Int!) {
      mergeRequest(project: $project, iid: $iid) { ...MergeRequestTimeFields }
    }`,
    [mergeRequestTimeFields],
  ),
  variables,
  reshape: ({ mergeRequest }) => timeStats(mergeRequest),
});

const setTimeEstimate = graphql(
  `mutation SetMergeRequestTimeEstimate($project: ID!, $iid: Int!, $duration: String!) {
    mergeRequest: setMergeRequestTimeEstimate(project: $project, iid: $iid, duration: $duration) {
      ...MergeRequestTimeFields
    }
  }`,
  [mergeRequestTimeFields],
);

const estimate = route({
  method: 'post',
  path: '/projects/:id/merge_requests/:merge_request_iid/time_estimate',
  access: 'signed in',
  status: 200,
  params: z.object({ ...one, duration: p.text() }),
  document: setTimeEstimate,
  variables: ({ duration, ...params }) => ({ ...variables(params), duration }),
  reshape: ({ mergeRequest }) => timeStats(mergeRequest),
});

const resetEstimate = route({
  method: 'post',
  path: '/projects/:id/merge_requests/:merge_request_iid/reset_time_estimate',
  access: 'signed in',
  status: 200,
  params: z.object(one),
  document: setTimeEstimate,
  variables: (params) => ({ ...variables(params), duration: '0' }),
  reshape: ({ mergeRequest }) => timeStats(mergeRequest),
});

const spend = route({
  method: 'post',
  path: '/projects/:id/merge_requests/:merge_request_iid/add_spent_time',
  access: 'signed in',
  params: z.object({ ...one, duration: p.text() }),
  document: graphql(
    `mutation AddMergeRequestSpentTime($project: ID!, $iid: Int!, $duration: String!) {
      mergeRequest: addMergeRequestSpentTime(project: $project, iid: $iid, duration: $duration) {
        ...MergeRequestTimeFields
      }
    }`,
    [mergeRequestTimeFields],
  ),
  variables: ({ duration, ...params }) => ({ ...variables(params), duration }),
  reshape: ({ mergeRequest }) => timeStats(mergeRequest),
});

const resetSpent = route({
  method: 'post',
  path: '/projects/:id/merge_requests/:merge_request_iid/reset_spent_time',
  access: 'signed in',
  status: 200,
  params: z.object(one),
  document: graphql(
    `mutation ResetMergeRequestSpentTime($project: ID!, $iid: Int!) {
      mergeRequest: resetMergeRequestSpentTime(project: $project, iid: $iid) { ...MergeRequestTimeFields }
    }`,
    [mergeRequestTimeFields],
  ),
  variables,
  reshape: ({ mergeRequest }) => timeStats(mergeRequest),
});

const participants = route({
  method: 'get',
  path: '/projects/:id/merge_requests/:merge_request_iid/participants',
  access: 'anyone',
  params: z.object(one),
  document: graphql(
    `query MergeRequestParticipants($project: ID!, $iid: Int!, $page: Int, $perPage: Int) {
      mergeRequest(project: $project, iid: $iid) {
        participants(page: $page, perPage: $perPage) { total nodes { ...BasicUserFields } }
      }
    }`,
    [basicUserFields],
  ),
  variables: ({ page, perPage, ...params }) => ({ ...variables(params), page, perPage }),
  page: ({ mergeRequest }) => mergeRequest.participants.total,
  reshape: ({ mergeRequest }) => mergeRequest.participants.nodes.map(basicUser),
});

const closesIssues = route({
  method: 'get',
  path: '/projects/:id/merge_requests/:merge_request_iid/closes_issues',
  access: 'signed in',
  params: z.object(one),
  document: graphql(
    `query MergeRequestClosesIssues($project: ID!, $iid: Int!, $page: Int, $perPage: Int) {
      mergeRequest(project: $project, iid: $iid) {
        closesIssues(page: $page, perPage: $perPage) { total nodes { ...IssueFields } }
      }
    }`,
    [issueFields],
  ),
  variables: ({ page, perPage, ...params }) => ({ ...variables(params), page, perPage }),
  page: ({ mergeRequest }) => mergeRequest.closesIssues.total,
  reshape: ({ mergeRequest }) => mergeRequest.closesIssues.nodes.map(issue),
});

export const mergeRequestActions = [
  ...subscriptions,
  showTimeStats,
  estimate,
  resetEstimate,
  spend,
  resetSpent,
  participants,
  closesIssues,
];
