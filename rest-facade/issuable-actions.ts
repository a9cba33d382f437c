import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { createdOrUnchanged } from './entities/created-or-unchanged.ts';
import { fullIssue, fullIssueFields, issue, issueFields } from './entities/issue.ts';
import {
  fullMergeRequestFields,
  mergeRequest,
  mergeRequestFields,
} from './entities/merge-request.ts';
import { noteableIssue, noteableMergeRequest } from './entities/noteable.ts';
import { basicUserFields } from './entities/user.ts';
import { issueTime, mergeRequestTime } from './issuable-time.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const issueParams = z.object({ ...ref, issue_iid: p.id() });
const issuePath = noteableIssue.path;

export const issueActions = [
  route({
    ...createdOrUnchanged,
    path: `${issuePath}/subscribe`,
    params: issueParams,
    document: graphql(
      `mutation SubscribeToIssue($id: ID!, $issue_iid: Int!) {
        change: subscribeToIssue(project: $id, iid: $issue_iid) {
          hasChanged result: issue { ...FullIssueFields }
        }
      }`,
      [fullIssueFields],
    ),
    reshape: fullIssue,
  }),
  route({
    ...createdOrUnchanged,
    path: `${issuePath}/unsubscribe`,
    params: issueParams,
    document: graphql(
      `mutation UnsubscribeFromIssue($id: ID!, $issue_iid: Int!) {
        change: unsubscribeFromIssue(project: $id, iid: $issue_iid) {
          hasChanged result: issue { ...FullIssueFields }
        }
      }`,
      [fullIssueFields],
    ),
    reshape: fullIssue,
  }),
  ...issueTime,
  route({
    method: 'get',
    path: `${issuePath}/participants`,
    access: 'signed in',
    params: issueParams,
    document: graphql(
      `query IssueParticipants($id: ID!, $issue_iid: Int!, $page: Int, $perPage: Int) {
        issue(project: $id, iid: $issue_iid) {
          page: participants(page: $page, perPage: $perPage) { total nodes { ...BasicUserFields } }
        }
      }`,
      [basicUserFields],
    ),
  }),
  route({
    method: 'get',
    path: `${issuePath}/related_merge_requests`,
    description: 'From GitLab 10.6.',
    access: 'signed in',
    params: issueParams,
    document: graphql(
      `query IssueRelatedMergeRequests($id: ID!, $issue_iid: Int!, $page: Int, $perPage: Int) {
        issue(project: $id, iid: $issue_iid) {
          page: relatedMergeRequests(page: $page, perPage: $perPage) { total nodes { ...MergeRequestFields } }
        }
      }`,
      [mergeRequestFields],
    ),
    reshape: mergeRequest,
  }),
  route({
    method: 'get',
    path: `${issuePath}/closed_by`,
    access: 'signed in',
    params: issueParams,
    document: graphql(
      `query IssueClosedBy($id: ID!, $issue_iid: Int!, $page: Int, $perPage: Int) {
        issue(project: $id, iid: $issue_iid) {
          page: closedByMergeRequests(page: $page, perPage: $perPage) { total nodes { ...MergeRequestFields } }
        }
      }`,
      [mergeRequestFields],
    ),
    reshape: mergeRequest,
  }),
];

const mergeRequestParams = z.object({ ...ref, merge_request_iid: p.id() });
const mergeRequestPath = noteableMergeRequest.path;

export const mergeRequestActions = [
  route({
    ...createdOrUnchanged,
    path: `${mergeRequestPath}/subscribe`,
    params: mergeRequestParams,
    document: graphql(
      `mutation SubscribeToMergeRequest($id: ID!, $merge_request_iid: Int!) {
        change: subscribeToMergeRequest(project: $id, iid: $merge_request_iid) {
          hasChanged result: mergeRequest { ...FullMergeRequestFields }
        }
      }`,
      [fullMergeRequestFields],
    ),
    reshape: mergeRequest,
  }),
  route({
    ...createdOrUnchanged,
    path: `${mergeRequestPath}/unsubscribe`,
    params: mergeRequestParams,
    document: graphql(
      `mutation UnsubscribeFromMergeRequest($id: ID!, $merge_request_iid: Int!) {
        change: unsubscribeFromMergeRequest(project: $id, iid: $merge_request_iid) {
          hasChanged result: mergeRequest { ...FullMergeRequestFields }
        }
      }`,
      [fullMergeRequestFields],
    ),
    reshape: mergeRequest,
  }),
  ...mergeRequestTime,
  route({
    method: 'get',
    path: `${mergeRequestPath}/participants`,
    access: 'anyone',
    params: mergeRequestParams,
    document: graphql(
      `query MergeRequestParticipants(
        $id: ID!, $merge_request_iid: Int!, $page: Int, $perPage: Int
      ) {
        mergeRequest(project: $id, iid: $merge_request_iid) {
          page: participants(page: $page, perPage: $perPage) { total nodes { ...BasicUserFields } }
        }
      }`,
      [basicUserFields],
    ),
  }),
  route({
    method: 'get',
    path: `${mergeRequestPath}/closes_issues`,
    access: 'signed in',
    params: mergeRequestParams,
    document: graphql(
      `query MergeRequestClosesIssues(
        $id: ID!, $merge_request_iid: Int!, $page: Int, $perPage: Int
      ) {
        mergeRequest(project: $id, iid: $merge_request_iid) {
          page: closesIssues(page: $page, perPage: $perPage) { total nodes { ...IssueFields } }
        }
      }`,
      [issueFields],
    ),
    reshape: issue,
  }),
];
