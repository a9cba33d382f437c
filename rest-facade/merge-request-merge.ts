import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { commit, commitFields } from './entities/commit.ts';
import { diffFields } from './entities/diff.ts';
import { computedShapes, replaced } from './entities/issuable.ts';
import {
  fullMergeRequestFields,
  headPipelineShape,
  mergeRequest,
  shownMergeRequestFields,
} from './entities/merge-request.ts';
import { pipeline } from './entities/pipeline.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { changed, s, selected } from './kernel/shape.ts';

const mergeRequestRef = { ...ref, merge_request_iid: p.id() };

const commits = route({
  method: 'get',
  path: '/projects/:id/merge_requests/:merge_request_iid/commits',
  access: 'anyone',
  params: z.object(mergeRequestRef),
  document: graphql(
    `query MergeRequestCommits($id: ID!, $merge_request_iid: Int!, $page: Int, $perPage: Int) {
      mergeRequest(project: $id, iid: $merge_request_iid) {
        page: commits(page: $page, perPage: $perPage) { total nodes { ...CommitFields } }
      }
    }`,
    [commitFields],
  ),
  reshape: commit,
});

const changes = route({
  method: 'get',
  path: '/projects/:id/merge_requests/:merge_request_iid/changes',
  access: 'anyone',
  params: z.object(mergeRequestRef),
  document: graphql(
    `query MergeRequestChanges($id: ID!, $merge_request_iid: Int!) {
      result: mergeRequest(project: $id, iid: $merge_request_iid) {
        ...ShownMergeRequestFields
        changes: diffs { ...DiffFields }
      }
    }`,
    [shownMergeRequestFields, diffFields],
  ),
  response: changed('ChangedMergeRequest', shownMergeRequestFields, replaced, {
    ...computedShapes,
    head_pipeline: headPipelineShape,
    changes: s.list(selected(diffFields)).describe('The changed files.'),
  }),
  reshape: (record) => ({
    ...mergeRequest(record),
    subscribed: record.subscribed,
    diff_refs: record.diff_refs,
    pipeline: record.pipeline,
    head_pipeline: record.head_pipeline && pipeline(record.head_pipeline),
    changes: record.changes,
  }),
});

const diffs = route({
  method: 'get',
  path: '/projects/:id/merge_requests/:merge_request_iid/diffs',
  description: 'From GitLab 15.7.',
  access: 'anyone',
  params: z.object(mergeRequestRef),
  document: graphql(
    `query MergeRequestDiffs($id: ID!, $merge_request_iid: Int!, $page: Int, $perPage: Int) {
      mergeRequest(project: $id, iid: $merge_request_iid) {
        page: diffPage(page: $page, perPage: $perPage) { total nodes { ...DiffFields } }
      }
    }`,
    [diffFields],
  ),
});

const merge = route({
  method: 'put',
  path: '/projects/:id/merge_requests/:merge_request_iid/merge',
  statuses: [409],
  access: 'signed in',
  refusals: { 'not-mergeable': 405, conflicting: 406 },
  params: z.object({
    ...mergeRequestRef,
    merge_commit_message: p.text().optional(),
    should_remove_source_branch: p.flag().optional(),
    merge_when_pipeline_succeeds: p.flag().optional(),
    sha: p.text().optional(),
  }),
  document: graphql(
    `mutation AcceptMergeRequest($id: ID!, $merge_request_iid: Int!, $merge: Merge!) {
      result: acceptMergeRequest(project: $id, iid: $merge_request_iid, merge: $merge) { ...FullMergeRequestFields }
    }`,
    [fullMergeRequestFields],
  ),
  variables: ({ id, merge_request_iid, ...params }) => ({
    id,
    merge_request_iid,
    merge: {
      message: params.merge_commit_message,
      shouldRemoveSourceBranch: params.should_remove_source_branch,
      mergeWhenPipelineSucceeds: params.merge_when_pipeline_succeeds,
      sha: params.sha,
    },
  }),
  reshape: mergeRequest,
});

/** Documented as PUT; clients have always sent POST. */
const cancel = (['put', 'post'] as const).map((method) =>
  route({
    method,
    ...(method === 'post' && {
      title: 'Cancel an automatic merge by POST',
      isDeprecated: true as const,
    }),
    path: '/projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds',
    access: 'signed in',
    refusals: { conflicting: 406 },
    params: z.object(mergeRequestRef),
    document: graphql(
      `mutation CancelAutomaticMerge($id: ID!, $merge_request_iid: Int!) {
        result: cancelAutomaticMerge(project: $id, iid: $merge_request_iid) { ...FullMergeRequestFields }
      }`,
      [fullMergeRequestFields],
    ),
    reshape: mergeRequest,
  }),
);

export const mergeRequestMerge = [commits, changes, diffs, merge, ...cancel];
