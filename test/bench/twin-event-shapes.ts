import type { Row } from './twin-page.ts';
import { authorColumns, authorOf } from './twin-planning-shapes.ts';
import type { TwinViewer } from './twin-viewers.ts';

/** An event `e`, its author, its note and the note's author and target. */
export const eventColumns = `
  e.project_id, e.action, e.target, e.target_id, e.target_iid, e.target_title, e.push,
  e.created_at AS happened_at, e.note_id, ${authorColumns},
  n.body, n.is_system, n.created_at, n.updated_at, n.issue_id, n.merge_request_id, n.snippet_id,
  coalesce(i.iid, r.iid) AS noteable_iid,
  w.id AS writer_id, w.name AS writer_name, w.username AS writer_username,
  w.state AS writer_state, w.email_key AS writer_email_key, w.email AS writer_email,
  w.created_at AS writer_created_at`;

export const eventJoins = `
  JOIN users u ON u.id = e.author_id
  LEFT JOIN notes n ON n.id = e.note_id
  LEFT JOIN users w ON w.id = n.author_id
  LEFT JOIN issues i ON i.id = n.issue_id
  LEFT JOIN merge_requests r ON r.id = n.merge_request_id`;

const types: Readonly<Record<string, string>> = {
  issue: 'Issue',
  merge_request: 'MergeRequest',
  milestone: 'Milestone',
  note: 'Note',
  project: 'Project',
  snippet: 'Snippet',
  user: 'User',
};

const actions: Readonly<Record<string, string>> = {
  created: 'opened',
  updated: 'updated',
  closed: 'closed',
  reopened: 'opened',
  pushed: 'pushed to',
  commented: 'commented on',
  merged: 'accepted',
  joined: 'joined',
  left: 'left',
  destroyed: 'destroyed',
  expired: 'removed due to membership expiration from',
};

const pushes: Readonly<Record<string, string>> = {
  created: 'pushed new',
  pushed: 'pushed to',
  removed: 'deleted',
};

function nameOf({ action, target, push }: Row) {
  if (push) return pushes[push.action];
  return action === 'created' && target === 'project' ? 'created' : actions[action];
}

const writerOf = (row: Row, viewer: TwinViewer, url: string) =>
  row.writer_id && {
    ...authorOf(
      {
        author_id: row.writer_id,
        author_name: row.writer_name,
        author_username: row.writer_username,
        author_state: row.writer_state,
        author_email_key: row.writer_email_key,
      },
      url,
    ),
    email: viewer.isAdmin || viewer.id === row.writer_id ? row.writer_email : null,
    created_at: row.writer_created_at,
  };

const typeOf = (row: Row) => {
  if (row.issue_id !== null) return 'Issue';
  return row.snippet_id === null ? 'MergeRequest' : 'Snippet';
};

const noteOf = (row: Row, viewer: TwinViewer, url: string) => ({
  id: row.note_id,
  body: row.body,
  attachment: null,
  author: writerOf(row, viewer, url),
  created_at: row.created_at,
  updated_at: row.updated_at,
  system: row.is_system,
  noteable_id: row.issue_id ?? row.merge_request_id ?? row.snippet_id,
  noteable_type: typeOf(row),
  noteable_iid: row.noteable_iid,
});

const pushData = (push: Row) => ({
  commit_count: push.commitCount,
  action: push.action,
  ref_type: push.refType,
  commit_from: push.commitFrom,
  commit_to: push.commitTo,
  ref: push.ref,
  commit_title: push.commitTitle,
});

export const eventShape = (row: Row, viewer: TwinViewer, url: string) => ({
  project_id: row.project_id,
  action_name: nameOf(row),
  target_id: row.target_id,
  target_iid: row.target_iid ?? row.target_id,
  target_type: row.target_id === null ? null : types[row.target],
  author_id: row.author_id,
  target_title: row.target_title,
  created_at: row.happened_at,
  ...(row.note_id !== null && { note: noteOf(row, viewer, url) }),
  author: authorOf(row, url),
  ...(row.push && { push_data: pushData(row.push) }),
  author_username: row.author_username,
});
