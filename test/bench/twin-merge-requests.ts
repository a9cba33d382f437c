import type { Context } from 'koa';
import type pg from 'pg';
import { maySeeCode, type TwinAccess } from './twin-access.ts';
import { type ReadObject, tipIn } from './twin-cat-file.ts';
import { type Row, twinFilter, twinRows } from './twin-page.ts';
import {
  authorColumns,
  authorOf,
  milestoneColumns,
  milestoneOf,
  timeStats,
} from './twin-planning-shapes.ts';
import { basicUser } from './twin-shapes.ts';
import type { TwinViewer } from './twin-viewers.ts';

const columns = `
  r.*, t.title, t.description, sp.is_removed AS is_source_removed,
  ARRAY(SELECT l.name FROM merge_request_labels rl JOIN labels l ON l.id = rl.label_id
    WHERE rl.merge_request_id = r.id ORDER BY l.name COLLATE "C") AS labels,
  a.id AS assignee_id, a.name AS assignee_name, a.username AS assignee_username,
  a.state AS assignee_state, a.email_key AS assignee_email_key,
  ${authorColumns}, ${milestoneColumns}`;

const joins = `
  JOIN merge_request_texts t ON t.merge_request_id = r.id
  LEFT JOIN projects sp ON sp.id = r.source_project_id
  LEFT JOIN users u ON u.id = r.author_id
  LEFT JOIN users a ON a.id = r.assignee_id
  LEFT JOIN milestones m ON m.id = r.milestone_id`;

const subscribedColumn = `
  coalesce(
    (SELECT is_subscribed FROM merge_request_subscriptions s
     WHERE s.merge_request_id = r.id AND s.user_id = $3),
    coalesce(r.author_id = $3, false) OR coalesce(r.assignee_id = $3, false)
      OR EXISTS (SELECT FROM notes n
        WHERE n.author_id = $3 AND n.merge_request_id = r.id AND NOT n.is_system)
  ) AS is_subscribed`;

const assigneeOf = (row: Row, url: string) =>
  row.assignee_id === null
    ? null
    : basicUser(
        {
          id: row.assignee_id,
          name: row.assignee_name,
          username: row.assignee_username,
          state: row.assignee_state,
          email_key: row.assignee_email_key,
        },
        url,
      );

const unfinished = /^\s*(?:\[wip\]|wip:|wip(?=\s))\s*/i;

const shape = (row: Row, path: string, url: string) => ({
  id: row.id,
  iid: row.iid,
  project_id: row.project_id,
  title: row.title,
  description: row.description,
  state: row.state,
  created_at: row.created_at,
  updated_at: row.updated_at,
  target_branch: row.target_branch,
  source_branch: row.source_branch,
  upvotes: row.upvotes,
  downvotes: row.downvotes,
  author: authorOf(row, url),
  assignee: assigneeOf(row, url),
  source_project_id: row.is_source_removed ? null : row.source_project_id,
  target_project_id: row.project_id,
  labels: row.labels,
  work_in_progress: unfinished.test(row.title),
  milestone: row.milestone_id === null ? null : milestoneOf(row),
  merge_when_pipeline_succeeds: row.merges_when_pipeline_succeeds,
  merge_status: row.merge_status,
  sha: row.sha,
  merge_commit_sha: row.merge_commit_sha,
  user_notes_count: row.user_notes_count,
  discussion_locked: row.is_discussion_locked,
  should_remove_source_branch: null,
  force_remove_source_branch: row.removes_source_branch,
  web_url: `${url}/${path}/merge_requests/${row.iid}`,
  time_stats: timeStats(row),
});

/** Responds with merge requests. */
export function twinMergeRequests(
  pool: pg.Pool,
  access: TwinAccess,
  url: string,
  processOf: (diskPath: string) => ReadObject,
) {
  const list = async (ctx: Context, project: Row): Promise<string> => {
    const filter = twinFilter();
    filter.add('r.project_id = $1', project.id);
    if (ctx.query.state) filter.add('r.state = $1', ctx.query.state);
    const rows = await twinRows(
      ctx,
      { pool, url },
      {
        filter,
        page: (where, bounds) => `
          SELECT ${columns}
          FROM (SELECT r.id FROM merge_requests r ${where}
            ORDER BY r.created_at DESC, r.id DESC ${bounds}) page
          JOIN merge_requests r ON r.id = page.id ${joins}
          ORDER BY r.created_at DESC, r.id DESC`,
        count: (where) => `SELECT count(*)::int AS total FROM merge_requests r ${where}`,
      },
    );
    return JSON.stringify(rows.map((row) => shape(row, project.full_path, url)));
  };

  const show = async (ctx: Context, viewer: TwinViewer, project: Row, iid: number) => {
    const { rows } = await pool.query(
      `SELECT ${columns}, ${subscribedColumn} FROM merge_requests r ${joins}
       WHERE r.project_id = $1 AND r.iid = $2`,
      [project.id, iid, viewer.id],
    );
    const [row] = rows;
    if (!row) return ctx.throw(404);
    // the merge status is valid only while the branch has not moved
    if (row.state === 'opened') {
      const tip = await tipIn(processOf(project.disk_path), row.target_branch);
      if (tip !== row.checked_against) return ctx.throw(500);
    }
    const entity = shape(row, project.full_path, url);
    return JSON.stringify({ ...entity, subscribed: row.is_subscribed });
  };

  return {
    /** Handles the paths below a project that start with `/merge_requests`. */
    respond: async (ctx: Context, viewer: TwinViewer | null, id: number, rest: string) => {
      if (!viewer) return ctx.throw(401);
      const project = await access.project(ctx, viewer, id);
      if (!maySeeCode(project, viewer) || !project.merge_requests_enabled) ctx.throw(403);
      const [, iid] = /^\/merge_requests(?:\/(\d+))?$/.exec(rest) ?? ctx.throw(404);
      return iid ? show(ctx, viewer, project, Number(iid)) : list(ctx, project);
    },
  };
}
