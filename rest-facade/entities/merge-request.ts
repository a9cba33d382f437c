import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { timeStats } from './issue.ts';
import { milestone, milestoneFields } from './milestone.ts';
import { basicUserFields } from './user.ts';

export const simpleMergeRequestFields = graphql(
  `fragment SimpleMergeRequestFields on MergeRequest {
    id iid projectId title description state createdAt updatedAt webUrl
  }`,
);

/** A merge request in listings with `view=simple` (v4-behaviour 3.4). */
export const simpleMergeRequest = (record: ResultOf<typeof simpleMergeRequestFields>) => ({
  id: record.id,
  iid: record.iid,
  project_id: record.projectId,
  title: record.title,
  description: record.description,
  state: record.state,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
  web_url: record.webUrl,
});

export const mergeRequestFields = graphql(
  `
    fragment MergeRequestFields on MergeRequest {
      ...SimpleMergeRequestFields
      sourceProjectId sourceBranch targetBranch labels isWorkInProgress mergeStatus sha mergeCommitSha
      milestone { ...MilestoneFields }
      author { ...BasicUserFields }
      assignee { ...BasicUserFields }
      userNotesCount upvotes downvotes isDiscussionLocked mergesWhenPipelineSucceeds
      removesSourceBranch shouldRemoveSourceBranch timeEstimate totalTimeSpent
    }
  `,
  [simpleMergeRequestFields, milestoneFields, basicUserFields],
);

/** A merge request in listings (v4-behaviour 3.4). */
export function mergeRequest(record: ResultOf<typeof mergeRequestFields>) {
  const { web_url, ...simple } = simpleMergeRequest(record);
  return {
    ...simple,
    target_branch: record.targetBranch,
    source_branch: record.sourceBranch,
    upvotes: record.upvotes,
    downvotes: record.downvotes,
    author: record.author,
    assignee: record.assignee,
    source_project_id: record.sourceProjectId,
    target_project_id: record.projectId,
    labels: record.labels,
    work_in_progress: record.isWorkInProgress,
    milestone: record.milestone && milestone(record.milestone),
    merge_when_pipeline_succeeds: record.mergesWhenPipelineSucceeds,
    merge_status: record.mergeStatus,
    sha: record.sha,
    merge_commit_sha: record.mergeCommitSha,
    user_notes_count: record.userNotesCount,
    discussion_locked: record.isDiscussionLocked,
    should_remove_source_branch: record.shouldRemoveSourceBranch,
    force_remove_source_branch: record.removesSourceBranch,
    web_url,
    time_stats: timeStats(record),
  };
}

export const fullMergeRequestFields = graphql(
  `fragment FullMergeRequestFields on MergeRequest { ...MergeRequestFields isSubscribed }`,
  [mergeRequestFields],
);

/** A single merge request: with whether the caller is subscribed. */
export const fullMergeRequest = (record: ResultOf<typeof fullMergeRequestFields>) => ({
  ...mergeRequest(record),
  subscribed: record.isSubscribed,
});
