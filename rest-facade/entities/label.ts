import { graphql, type ResultOf } from '../../schema/client/graphql.ts';

export const labelFields = graphql(`
  fragment LabelFields on SourceLabel {
    id name color description openIssuesCount closedIssuesCount openMergeRequestsCount
    priority isSubscribed
  }
`);

/** A label in the context of a group or project (v4-behaviour 3.6). */
export const label = (record: ResultOf<typeof labelFields>) => ({
  id: record.id,
  name: record.name,
  color: record.color,
  description: record.description,
  open_issues_count: record.openIssuesCount,
  closed_issues_count: record.closedIssuesCount,
  open_merge_requests_count: record.openMergeRequestsCount,
  priority: record.priority,
  subscribed: record.isSubscribed,
});
