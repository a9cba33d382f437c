import type { Row } from './twin-page.ts';
import { basicUser } from './twin-shapes.ts';
import type { TwinViewer } from './twin-viewers.ts';

const units = [
  ['mo', 576_000],
  ['w', 144_000],
  ['d', 28_800],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

function formatDuration(seconds: number): string | null {
  if (seconds === 0) return null;
  const parts: string[] = [];
  let remaining = seconds;
  for (const [unit, length] of units) {
    if (remaining >= length) parts.push(Math.floor(remaining / length) + unit);
    remaining %= length;
  }
  return parts.join(' ');
}

export const timeStats = (row: Row) => ({
  time_estimate: row.time_estimate,
  total_time_spent: row.total_time_spent,
  human_time_estimate: formatDuration(row.time_estimate),
  human_total_time_spent: formatDuration(row.total_time_spent),
});

/** The columns of an author or another user, `u`. */
export const authorColumns = `u.id AS author_id, u.name AS author_name,
  u.username AS author_username, u.state AS author_state, u.email_key AS author_email_key`;

export const authorOf = (row: Row, url: string) =>
  row.author_id === null
    ? null
    : basicUser(
        {
          id: row.author_id,
          name: row.author_name,
          username: row.author_username,
          state: row.author_state,
          email_key: row.author_email_key,
        },
        url,
      );

/** The columns of a milestone, `m`. */
export const milestoneColumns = `
  m.id AS milestone_id, m.iid AS milestone_iid, m.project_id AS milestone_project_id,
  m.title AS milestone_title, m.description AS milestone_description, m.state AS milestone_state,
  m.created_at AS milestone_created_at, m.updated_at AS milestone_updated_at,
  m.due_date::text AS milestone_due_date, m.start_date::text AS milestone_start_date`;

export const milestoneOf = (row: Row) => ({
  id: row.milestone_id,
  iid: row.milestone_iid,
  project_id: row.milestone_project_id,
  title: row.milestone_title,
  description: row.milestone_description,
  state: row.milestone_state,
  created_at: row.milestone_created_at,
  updated_at: row.milestone_updated_at,
  due_date: row.milestone_due_date,
  start_date: row.milestone_start_date,
});

export function issueShape(row: Row, path: string, url: string) {
  const assignees = (row.assignees ?? []).map((user: Row) => basicUser(user, url));
  return {
    id: row.id,
    iid: row.iid,
    project_id: row.project_id,
    title: row.title,
    description: row.description,
    state: row.state,
    created_at: row.created_at,
    updated_at: row.updated_at,
    closed_at: row.closed_at,
    labels: row.labels,
    milestone: row.milestone_id === null ? null : milestoneOf(row),
    assignees,
    author: authorOf(row, url),
    assignee: assignees[0] ?? null,
    user_notes_count: row.user_notes_count,
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    due_date: row.due_day,
    confidential: row.is_confidential,
    discussion_locked: row.is_discussion_locked,
    web_url: `${url}/${path}/issues/${row.iid}`,
    time_stats: timeStats(row),
  };
}

export function fullIssueShape(row: Row, path: string, url: string) {
  const project = `${url}/api/v4/projects/${row.project_id}`;
  const self = `${project}/issues/${row.iid}`;
  return {
    ...issueShape(row, path, url),
    subscribed: row.is_subscribed,
    _links: { self, notes: `${self}/notes`, award_emoji: `${self}/award_emoji`, project },
  };
}

export const noteShape = (row: Row, viewer: TwinViewer, url: string) => ({
  id: row.id,
  body: row.body,
  attachment: null,
  author: row.author_id && {
    ...authorOf(row, url),
    email: viewer.isAdmin || viewer.id === row.author_id ? row.author_email : null,
    created_at: row.author_created_at,
  },
  created_at: row.created_at,
  updated_at: row.updated_at,
  system: row.is_system,
  noteable_id: row.issue_id,
  noteable_type: 'Issue',
  noteable_iid: row.iid,
});

/** Lists are in order; `position` is the index. */
export const boardShape = (row: Row) => ({
  id: row.id,
  lists: (row.lists ?? []).map((list: Row, position: number) => ({ ...list, position })),
});
