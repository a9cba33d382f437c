import { humanDuration } from '../../schema/client/duration.ts';
import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import type { Site } from '../../schema/client/operation.ts';
import { milestone, milestoneFields } from './milestone.ts';
import { basicUserFields } from './user.ts';

export const issueFields = graphql(
  `
    fragment IssueFields on Issue {
      id iid projectId title description state createdAt updatedAt closedAt labels
      milestone { ...MilestoneFields }
      assignees { ...BasicUserFields }
      author { ...BasicUserFields }
      userNotesCount upvotes downvotes dueDate isConfidential isDiscussionLocked webUrl
      timeEstimate totalTimeSpent
    }
  `,
  [milestoneFields, basicUserFields],
);

/** An issue in listings (v4-behaviour 3.3). */
export function issue(record: ResultOf<typeof issueFields>) {
  return {
    id: record.id,
    iid: record.iid,
    project_id: record.projectId,
    title: record.title,
    description: record.description,
    state: record.state,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    closed_at: record.closedAt,
    labels: record.labels,
    milestone: record.milestone && milestone(record.milestone),
    assignees: record.assignees,
    author: record.author,
    assignee: record.assignees[0] ?? null,
    user_notes_count: record.userNotesCount,
    upvotes: record.upvotes,
    downvotes: record.downvotes,
    due_date: record.dueDate,
    confidential: record.isConfidential,
    discussion_locked: record.isDiscussionLocked,
    web_url: record.webUrl,
    time_stats: timeStats(record),
  };
}

export const fullIssueFields = graphql(
  `fragment FullIssueFields on Issue { ...IssueFields isSubscribed }`,
  [issueFields],
);

/** A single issue: with links, and whether the caller is subscribed. */
export function fullIssue(record: ResultOf<typeof fullIssueFields>, { url }: Site) {
  const project = `${url}/api/v4/projects/${record.projectId}`;
  const self = `${project}/issues/${record.iid}`;
  return {
    ...issue(record),
    subscribed: record.isSubscribed,
    _links: {
      self,
      notes: `${self}/notes`,
      award_emoji: `${self}/award_emoji`,
      project,
    },
  };
}

/** Tracked time in seconds. */
export interface Timed {
  readonly timeEstimate: number;
  readonly totalTimeSpent: number;
}

/** The estimate and the time spent, in seconds and as text; the text of 0 is null. */
export const timeStats = ({ timeEstimate, totalTimeSpent }: Timed) => ({
  time_estimate: timeEstimate,
  total_time_spent: totalTimeSpent,
  human_time_estimate: humanDuration(timeEstimate),
  human_total_time_spent: humanDuration(totalTimeSpent),
});
