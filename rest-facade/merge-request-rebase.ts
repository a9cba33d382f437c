import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import type { Site } from '../schema/client/operation.ts';
import { computedShapes, replaced } from './entities/issuable.ts';
import {
  headPipelineShape,
  mergeRequest,
  shownMergeRequestFields,
} from './entities/merge-request.ts';
import { pipeline } from './entities/pipeline.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { changed, entity, s, shaped } from './kernel/shape.ts';

/** A single merge request, with its rebase. */
export const rebasedMergeRequestFields = graphql(
  `fragment RebasedMergeRequestFields on MergeRequest {
    ...ShownMergeRequestFields rebase_in_progress: isRebaseInProgress merge_error: mergeError
  }`,
  [shownMergeRequestFields],
);

/** A single merge request; the fields of its rebase only for clients that ask for them. */
export const shownMergeRequest = shaped(
  changed('ShownMergeRequest', rebasedMergeRequestFields, replaced, {
    ...computedShapes,
    head_pipeline: headPipelineShape,
    rebase_in_progress: s
      .flag()
      .optional()
      .describe('Whether the source branch is being rebased; with `include_rebase_in_progress`.'),
    merge_error: s
      .text()
      .nullable()
      .optional()
      .describe('Why the last rebase failed; with `include_rebase_in_progress`.'),
  }),
  (
    { rebase_in_progress, merge_error, ...record }: ResultOf<typeof rebasedMergeRequestFields>,
    _site: Site,
    {
      include_rebase_in_progress: isIncluded,
    }: { readonly include_rebase_in_progress?: boolean | undefined },
  ) => ({
    ...mergeRequest(record),
    subscribed: record.subscribed,
    diff_refs: record.diff_refs,
    pipeline: record.pipeline,
    head_pipeline: record.head_pipeline && pipeline(record.head_pipeline),
    ...(isIncluded && { rebase_in_progress, merge_error }),
  }),
);

const rebasing = entity('MergeRequestRebase', {
  rebase_in_progress: s.flag().describe('Whether the source branch is being rebased.'),
});

const rebase = route({
  method: 'put',
  path: '/projects/:id/merge_requests/:merge_request_iid/rebase',
  description:
    'From GitLab 11.6. The rebase follows in the background: `GET` of the merge request with `include_rebase_in_progress` shows when it has ended, and `merge_error` if it failed.',
  access: 'signed in',
  status: 202,
  statuses: [409],
  params: z.object({
    ...ref,
    merge_request_iid: p.id(),
    skip_ci: p.flag().optional(),
  }),
  document: graphql(
    `mutation RebaseMergeRequest($id: ID!, $merge_request_iid: Int!, $skip_ci: Boolean) {
      result: rebaseMergeRequest(project: $id, iid: $merge_request_iid, skipCi: $skip_ci) {
        rebase_in_progress: isRebaseInProgress
      }
    }`,
  ),
  response: rebasing,
});

export const mergeRequestRebase = [rebase];
