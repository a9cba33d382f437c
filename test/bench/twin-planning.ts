import type { Context } from 'koa';
import type pg from 'pg';
import { levelOf, type TwinAccess } from './twin-access.ts';
import { type Row, type TwinFilterMaker, twinFilter, twinRows } from './twin-page.ts';
import {
  authorColumns,
  boardShape,
  fullIssueShape,
  issueShape,
  milestoneColumns,
  noteShape,
} from './twin-planning-shapes.ts';
import type { TwinViewer } from './twin-viewers.ts';

const reporter = 20;

const issueColumns = `
  i.id, i.iid, i.project_id, t.title, t.description, i.state, i.created_at, i.updated_at,
  i.closed_at, i.user_notes_count, i.upvotes, i.downvotes, i.due_date::text AS due_day,
  i.is_confidential, i.is_discussion_locked, i.time_estimate, i.total_time_spent,
  ARRAY(SELECT l.name FROM issue_labels il JOIN labels l ON l.id = il.label_id
    WHERE il.issue_id = i.id ORDER BY l.name COLLATE "C") AS labels,
  (SELECT json_agg(json_build_object('id', u.id, 'name', u.name, 'username', u.username,
     'state', u.state, 'email_key', u.email_key) ORDER BY u.id)
   FROM issue_assignees a JOIN users u ON u.id = a.user_id WHERE a.issue_id = i.id) AS assignees,
  ${authorColumns}, ${milestoneColumns}`;

const issueJoins = `
  JOIN issue_texts t ON t.issue_id = i.id
  LEFT JOIN users u ON u.id = i.author_id
  LEFT JOIN milestones m ON m.id = i.milestone_id`;

const subscribedColumn = `
  coalesce(
    (SELECT is_subscribed FROM issue_subscriptions s WHERE s.issue_id = i.id AND s.user_id = $3),
    i.author_id = $3
      OR EXISTS (SELECT FROM issue_assignees a WHERE a.issue_id = i.id AND a.user_id = $3)
      OR EXISTS (SELECT FROM notes n WHERE n.author_id = $3 AND n.issue_id = i.id AND NOT n.is_system),
    false
  ) AS is_subscribed`;

const open = `(NOT i.is_confidential OR i.author_id = $1
  OR EXISTS (SELECT FROM issue_assignees a WHERE a.issue_id = i.id AND a.user_id = $1))`;

/** Confidential issues are visible to reporters, their author and their assignees. */
function addVisible(filter: TwinFilterMaker, project: Row, viewer: TwinViewer): void {
  if (levelOf(project, viewer) < reporter) filter.add(open, viewer.id);
}

const boardColumns = `
  b.id, (SELECT json_agg(json_build_object('id', bl.id, 'label', json_build_object('id', l.id,
       'name', l.name, 'color', l.color, 'description', l.description)) ORDER BY bl.position)
     FROM board_lists bl JOIN labels l ON l.id = bl.label_id
     WHERE bl.board_id = b.id AND bl.removed_at IS NULL) AS lists`;

/** Responds with issues, their notes, and boards. */
export function twinPlanning(pool: pg.Pool, access: TwinAccess, url: string) {
  const listIssues = async (ctx: Context, viewer: TwinViewer, project: Row): Promise<string> => {
    const filter = twinFilter();
    filter.add('i.project_id = $1', project.id);
    if (ctx.query.state) filter.add('i.state = $1', ctx.query.state);
    addVisible(filter, project, viewer);
    const rows = await twinRows(
      ctx,
      { pool, url },
      {
        filter,
        page: (where, bounds) => `
          SELECT ${issueColumns}
          FROM (SELECT i.id FROM issues i ${where} ORDER BY i.created_at DESC, i.id DESC ${bounds}) page
          JOIN issues i ON i.id = page.id ${issueJoins}
          ORDER BY i.created_at DESC, i.id DESC`,
        count: (where) => `SELECT count(*)::int AS total FROM issues i ${where}`,
      },
    );
    return JSON.stringify(rows.map((row) => issueShape(row, project.full_path, url)));
  };

  const showIssue = async (
    ctx: Context,
    viewer: TwinViewer,
    project: Row,
    iid: number,
  ): Promise<string> => {
    const { rows } = await pool.query(
      `SELECT ${issueColumns}, ${subscribedColumn} FROM issues i ${issueJoins}
       WHERE i.project_id = $1 AND i.iid = $2
         AND ($4 OR ${open.replaceAll('$1', '$3')})`,
      [project.id, iid, viewer.id, levelOf(project, viewer) >= reporter],
    );
    const [row] = rows;
    return row ? JSON.stringify(fullIssueShape(row, project.full_path, url)) : ctx.throw(404);
  };

  const listNotes = async (
    ctx: Context,
    viewer: TwinViewer,
    project: Row,
    iid: number,
  ): Promise<string> => {
    const { rows: issues } = await pool.query(
      `SELECT i.id FROM issues i WHERE i.project_id = $1 AND i.iid = $2
         AND ($4 OR ${open.replaceAll('$1', '$3')})`,
      [project.id, iid, viewer.id, levelOf(project, viewer) >= reporter],
    );
    const [issue] = issues;
    if (!issue) return ctx.throw(404);
    const filter = twinFilter();
    filter.add('n.issue_id = $1', issue.id);
    const rows = await twinRows(
      ctx,
      { pool, url },
      {
        filter,
        page: (where, bounds) => `
          SELECT n.id, n.body, n.created_at, n.updated_at, n.is_system, n.issue_id,
            ${iid} AS iid, ${authorColumns}, u.email AS author_email,
            u.created_at AS author_created_at
          FROM notes n LEFT JOIN users u ON u.id = n.author_id ${where}
          ORDER BY n.created_at DESC, n.id DESC ${bounds}`,
        count: (where) => `SELECT count(*)::int AS total FROM notes n ${where}`,
      },
    );
    return JSON.stringify(rows.map((row) => noteShape(row, viewer, url)));
  };

  const listBoards = async (ctx: Context, project: Row): Promise<string> => {
    const filter = twinFilter();
    filter.add('b.project_id = $1', project.id);
    const rows = await twinRows(
      ctx,
      { pool, url },
      {
        filter,
        page: (where, bounds) =>
          `SELECT ${boardColumns} FROM boards b ${where} ORDER BY b.id ${bounds}`,
        count: (where) => `SELECT count(*)::int AS total FROM boards b ${where}`,
      },
    );
    return JSON.stringify(rows.map(boardShape));
  };

  return {
    /** Handles the paths below a project that start with `/issues` or `/boards`. */
    respond: async (ctx: Context, viewer: TwinViewer | null, id: number, rest: string) => {
      if (!viewer) return ctx.throw(401);
      const project = await access.project(ctx, viewer, id);
      if (rest === '/boards') return listBoards(ctx, project);
      if (!project.issues_enabled) return ctx.throw(403);
      const [, iid, below] = issuePath.exec(rest) ?? ctx.throw(404);
      if (!iid) return listIssues(ctx, viewer, project);
      const read = below ? listNotes : showIssue;
      return read(ctx, viewer, project, Number(iid));
    },
  };
}

const issuePath = /^\/issues(?:\/(\d+)(\/notes)?)?$/;
