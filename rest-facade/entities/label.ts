import { graphql } from '../../schema/client/graphql.ts';

/** A label in the context of a group or project (v4-behaviour 3.6). */
export const labelFields = graphql(`
  fragment LabelFields on Label {
    id name color description
    open_issues_count: sourceOpenIssuesCount closed_issues_count: sourceClosedIssuesCount
    open_merge_requests_count: sourceOpenMergeRequestsCount
    priority: sourcePriority subscribed: isSubscribed
  }
`);
