import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { type Timed, timeStats } from './entities/issuable.ts';
import {
  type NoteableParent,
  noteableIssue,
  noteableMergeRequest,
  numbered,
  withinNoteable,
} from './entities/noteable.ts';
import { p } from './kernel/params.ts';
import { type Route, route } from './kernel/route.ts';

type Document<Variables = unknown> = TypedDocumentNode<
  { result: Timed },
  { id: string; iid: number } & Variables
>;

interface Documents {
  readonly stats: Document;
  readonly setEstimate: Document<{ duration: string }>;
  readonly addSpent: Document<{ duration: string }>;
  readonly resetSpent: Document;
}

/** Time tracking of issues or of merge requests (v4-behaviour 3.3); `readers` may see it. */
function timeRoutes(parent: NoteableParent, readers: Route['access'], documents: Documents) {
  const { path } = parent;
  const params = z.object(withinNoteable(parent));
  const timed = { variables: numbered(parent), reshape: timeStats };
  const post = { ...timed, method: 'post', access: 'signed in' } as const;
  const withDuration = { ...post, params: params.extend({ duration: p.text() }) };
  return [
    route({
      ...timed,
      method: 'get',
      access: readers,
      path: `${path}/time_stats`,
      params,
      document: documents.stats,
    }),
    route({
      ...withDuration,
      path: `${path}/time_estimate`,
      status: 200,
      document: documents.setEstimate,
    }),
    route({
      ...post,
      path: `${path}/reset_time_estimate`,
      status: 200,
      params,
      document: documents.setEstimate,
      variables: (input) => ({ ...timed.variables(input), duration: '0' }),
    }),
    route({
      ...withDuration,
      path: `${path}/add_spent_time`,
      document: documents.addSpent,
      faultNames: { base: 'time_spent' },
    }),
    route({
      ...post,
      path: `${path}/reset_spent_time`,
      status: 200,
      params,
      document: documents.resetSpent,
    }),
  ];
}

export const issueTime = timeRoutes(noteableIssue, 'signed in', {
  stats: graphql(
    `query IssueTimeStats($id: ID!, $iid: Int!) {
      result: issue(project: $id, iid: $iid) { timeEstimate totalTimeSpent }
    }`,
  ),
  setEstimate: graphql(
    `mutation SetIssueTimeEstimate($id: ID!, $iid: Int!, $duration: String!) {
      result: setIssueTimeEstimate(project: $id, iid: $iid, duration: $duration) {
        timeEstimate totalTimeSpent
      }
    }`,
  ),
  addSpent: graphql(
    `mutation AddIssueSpentTime($id: ID!, $iid: Int!, $duration: String!) {
      result: addIssueSpentTime(project: $id, iid: $iid, duration: $duration) {
        timeEstimate totalTimeSpent
      }
    }`,
  ),
  resetSpent: graphql(
    `mutation ResetIssueSpentTime($id: ID!, $iid: Int!) {
      result: resetIssueSpentTime(project: $id, iid: $iid) { timeEstimate totalTimeSpent }
    }`,
  ),
});

export const mergeRequestTime = timeRoutes(noteableMergeRequest, 'anyone', {
  stats: graphql(
    `query MergeRequestTimeStats($id: ID!, $iid: Int!) {
      result: mergeRequest(project: $id, iid: $iid) { timeEstimate totalTimeSpent }
    }`,
  ),
  setEstimate: graphql(
    `mutation SetMergeRequestTimeEstimate($id: ID!, $iid: Int!, $duration: String!) {
      result: setMergeRequestTimeEstimate(project: $id, iid: $iid, duration: $duration) {
        timeEstimate totalTimeSpent
      }
    }`,
  ),
  addSpent: graphql(
    `mutation AddMergeRequestSpentTime($id: ID!, $iid: Int!, $duration: String!) {
      result: addMergeRequestSpentTime(project: $id, iid: $iid, duration: $duration) {
        timeEstimate totalTimeSpent
      }
    }`,
  ),
  resetSpent: graphql(
    `mutation ResetMergeRequestSpentTime($id: ID!, $iid: Int!) {
      result: resetMergeRequestSpentTime(project: $id, iid: $iid) { timeEstimate totalTimeSpent }
    }`,
  ),
});
