import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { awardFields } from '../discussions/threads.ts';
import { personFields } from '../kernel/people.ts';
import { labelMarkFields } from '../labels/label-mark.ts';

/** People whom the page of an issue shows. */
export const mostParticipants = 20;

const mergeRequestFields = graphql(`fragment MergeRequestOfIssue on MergeRequest {
  iid title state targetProject { fullPath }
}`);

export type MergeRequestOfIssue = ResultOf<typeof mergeRequestFields>;

export const issueDocument = graphql(
  `query ShownIssue($project: ID!, $iid: Int!, $people: Int!) {
    issue(project: $project, iid: $iid) {
      iid title description state isConfidential isDiscussionLocked createdAt closedAt dueDate
      canUpdate canComment canVote isSubscribed timeEstimate totalTimeSpent
      labels { ...LabelMarkFields } milestone { id title }
      author { ...PersonFields } closedBy { ...PersonFields } assignees { id ...PersonFields }
      awardCounts { ...DiscussedAwards }
      participants(perPage: $people) { total nodes { ...PersonFields } }
      closedByMergeRequests(perPage: $people) { nodes { ...MergeRequestOfIssue } }
      relatedMergeRequests(perPage: $people) { nodes { ...MergeRequestOfIssue } }
      project { access { canAdministerIssues canDeleteIssues canPush } }
    }
  }`,
  [awardFields, personFields, labelMarkFields, mergeRequestFields],
);

export type Issue = ResultOf<typeof issueDocument>['issue'];
