import { graphql } from '../../schema/client/graphql.ts';
import { entity, s } from '../kernel/shape.ts';

/** A label in the context of a group or project (v4-behaviour 3.6). */
export const labelFields = graphql(`
  fragment LabelFields on Label {
    id name color description
    open_issues_count: sourceOpenIssuesCount closed_issues_count: sourceClosedIssuesCount
    open_merge_requests_count: sourceOpenMergeRequestsCount
    priority: sourcePriority subscribed: isSubscribed
  }
`);

export const label = entity('Label', {
  id: s.id(),
  name: s.text(),
  color: s.text(),
  description: s.text().nullable(),
  open_issues_count: s.int().describe('The number of open issues of the group or project.'),
  closed_issues_count: s.int().describe('The number of its closed issues.'),
  open_merge_requests_count: s.int().describe('The number of its open merge requests.'),
  priority: s.int().nullable().describe('The priority within the project, 0 is the highest.'),
  subscribed: s.flag(),
});
