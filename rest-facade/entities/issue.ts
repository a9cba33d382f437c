import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import type { Site } from '../../schema/client/operation.ts';
import { changed, s, selected, shaped } from '../kernel/shape.ts';
import { computed, computedShapes, replaced } from './issuable.ts';
import { milestoneFields } from './milestone.ts';
import { basicUserFields } from './user.ts';

export const issueFields = graphql(
  `
    fragment IssueFields on Issue {
      id iid project_id: projectId title description state
      created_at: createdAt updated_at: updatedAt closed_at: closedAt labels: labelNames
      milestone { ...MilestoneFields }
      assignees { ...BasicUserFields }
      author { ...BasicUserFields }
      assignee: __typename
      user_notes_count: userNotesCount upvotes downvotes due_date: dueDate
      confidential: isConfidential discussion_locked: discussionLocked web_url: webUrl
      time_stats: __typename timeEstimate totalTimeSpent
    }
  `,
  [milestoneFields, basicUserFields],
);

const firstAssignee = selected(basicUserFields).nullable().describe('The first of the assignees.');

/** An issue in listings (v4-behaviour 3.3). */
export const issue = shaped(
  changed('Issue', issueFields, replaced, {
    ...computedShapes,
    assignee: firstAssignee,
  }),
  (record: ResultOf<typeof issueFields>) => ({
    ...record,
    ...computed(record),
    assignee: record.assignees[0] ?? null,
  }),
);

export const fullIssueFields = graphql(
  `fragment FullIssueFields on Issue { ...IssueFields subscribed: isSubscribed }`,
  [issueFields],
);

/** A single issue: with links, and whether the caller is subscribed. */
export const fullIssue = shaped(
  changed('FullIssue', fullIssueFields, replaced, {
    ...computedShapes,
    assignee: firstAssignee,
    _links: s
      .object({
        self: s.url().describe('The issue.'),
        notes: s.url().describe('Its notes.'),
        award_emoji: s.url().describe('Its award emoji.'),
        project: s.url().describe('Its project.'),
      })
      .describe('The addresses of related resources.'),
  }),
  (record: ResultOf<typeof fullIssueFields>, { url }: Site) => {
    const project = `${url}/api/v4/projects/${record.project_id}`;
    const self = `${project}/issues/${record.iid}`;
    return {
      ...record,
      ...computed(record),
      assignee: record.assignees[0] ?? null,
      _links: {
        self,
        notes: `${self}/notes`,
        award_emoji: `${self}/award_emoji`,
        project,
      },
    };
  },
);
