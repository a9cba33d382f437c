import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pipelineLinkFields } from '../ci/ci.ts';
import { personFields } from '../kernel/people.ts';
import { labelMarkFields } from '../labels/label-mark.ts';

/** The fields of a merge request that each of its pages needs. */
export const headFields = graphql(
  `fragment MergeRequestHeadFields on MergeRequest {
    iid title plainTitle state isWorkInProgress createdAt sourceBranch targetBranch canUpdate
    author { ...PersonFields } sourceProject { fullPath }
  }`,
  [personFields],
);

export type MergeRequestHead = ResultOf<typeof headFields>;

/** The fields of the box that merges. */
export const mergeFields = graphql(
  `fragment MergeBoxFields on MergeRequest {
    iid title state sha sourceBranch targetBranch mergeStatus mergeCommitSha mergeError
    mergedAt closedAt mergeWhenPipelineSucceeds forceRemoveSourceBranch shouldRemoveSourceBranch
    isRebaseInProgress isWorkInProgress mergeBlockers
    canMerge canRebase canUpdate canApprove isApprovedByMe
    mergedBy { ...PersonFields } closedBy { ...PersonFields }
    approvals { approvedAt user { ...PersonFields } }
    lastPipeline { ...PipelineLinkFields }
    conflicts { paths isCut }
    closesIssues(perPage: 20) { nodes { iid title } }
  }`,
  [personFields, pipelineLinkFields],
);

export type MergeBox = ResultOf<typeof mergeFields>;

/** The fields of the column beside the description. */
export const sidebarFields = graphql(
  `fragment MergeRequestSidebarFields on MergeRequest {
    iid labels { ...LabelMarkFields } isSubscribed canDelete canAdminister timeEstimate totalTimeSpent
    milestone { id title } assignee { id ...PersonFields }
    participants(perPage: 20) { nodes { ...PersonFields } }
  }`,
  [personFields, labelMarkFields],
);

export type MergeRequestSidebar = ResultOf<typeof sidebarFields>;
