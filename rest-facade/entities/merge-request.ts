import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { changed, entity, s, shaped, shapeOf } from '../kernel/shape.ts';
import { computed, computedShapes, replaced } from './issuable.ts';
import { milestoneFields } from './milestone.ts';
import { listedPipelineFields, pipeline, pipelineFields } from './pipeline.ts';
import { basicUserFields } from './user.ts';

export const mergeRequestFields = graphql(
  `
    fragment MergeRequestFields on MergeRequest {
      id iid project_id: projectId title description state
      created_at: createdAt updated_at: updatedAt
      target_branch: targetBranch source_branch: sourceBranch upvotes downvotes
      author { ...BasicUserFields }
      assignee { ...BasicUserFields }
      source_project_id: sourceProjectId target_project_id: projectId labels: labelNames
      work_in_progress: isWorkInProgress
      milestone { ...MilestoneFields }
      merge_when_pipeline_succeeds: mergeWhenPipelineSucceeds merge_status: mergeStatus
      sha merge_commit_sha: mergeCommitSha user_notes_count: userNotesCount
      discussion_locked: discussionLocked
      should_remove_source_branch: shouldRemoveSourceBranch
      force_remove_source_branch: forceRemoveSourceBranch
      web_url: webUrl time_stats: __typename timeEstimate totalTimeSpent
    }
  `,
  [milestoneFields, basicUserFields],
);

/** The pipeline of a single merge request. */
export const headPipelineShape = shapeOf(pipeline)
  .nullable()
  .describe(
    'The newest pipeline of the head commit; null without one, and for users who may not see it.',
  );

/** A merge request, in listings or by itself (v4-behaviour 3.4). */
export const mergeRequest = shaped(
  changed('MergeRequest', mergeRequestFields, replaced, {
    ...computedShapes,
    subscribed: s.flag().optional().describe('Whether the current user is subscribed.'),
    head_pipeline: headPipelineShape.optional(),
  }),
  ({
    head_pipeline: head,
    ...record
  }: ResultOf<typeof mergeRequestFields> & {
    readonly subscribed?: boolean;
    readonly head_pipeline?: ResultOf<typeof pipelineFields> | null;
  }) => ({
    ...record,
    ...computed(record),
    ...(head !== undefined && { head_pipeline: head && pipeline(head) }),
  }),
);

/** A single merge request: with its pipeline, and with whether the caller is subscribed. */
export const fullMergeRequestFields = graphql(
  `fragment FullMergeRequestFields on MergeRequest {
    ...MergeRequestFields subscribed: isSubscribed
    head_pipeline: lastPipeline { ...PipelineFields }
  }`,
  [mergeRequestFields, pipelineFields],
);

const diffRefFields = graphql(`
  fragment DiffRefFields on MergeRequestDiffRefs {
    base_sha: baseSha start_sha: startSha head_sha: headSha
  }
`);

/** A merge request that a client asks for: with what it compares, and with its pipeline. */
export const shownMergeRequestFields = graphql(
  `fragment ShownMergeRequestFields on MergeRequest {
    ...FullMergeRequestFields
    diff_refs: diffRefs { ...DiffRefFields }
    pipeline: lastPipeline { ...ListedPipelineFields }
  }`,
  [fullMergeRequestFields, diffRefFields, listedPipelineFields],
);

/** A merge request in listings with `view=simple` (v4-behaviour 3.4). */
export const simpleMergeRequest = shaped(
  entity('SimpleMergeRequest', {
    id: s.id(),
    iid: s.int(),
    project_id: s.id(),
    title: s.text(),
    description: s.text().nullable(),
    state: s.text(),
    created_at: s.time(),
    updated_at: s.time(),
    web_url: s.url(),
  }),
  (record: ResultOf<typeof mergeRequestFields>) => {
    const { id, iid, project_id, title, description, state, created_at, updated_at, web_url } =
      record;
    return { id, iid, project_id, title, description, state, created_at, updated_at, web_url };
  },
);
