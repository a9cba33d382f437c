import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type pg from 'pg';
import { levelOf, type TwinAccess } from './twin-access.ts';
import { authorColumns, fullIssueShape, noteShape } from './twin-planning-shapes.ts';
import type { TwinViewer } from './twin-viewers.ts';

const reporter = 20;

/** One statement and therefore one transaction, with the durability of the service's. */
const insertIssue = `
  WITH numbered AS (
    UPDATE projects SET last_issue_iid = last_issue_iid + 1, open_issues_count = open_issues_count + 1
    WHERE id = $1 RETURNING last_issue_iid, clock_timestamp() AS now
  ), created AS (
    INSERT INTO issues (project_id, iid, author_id, created_at, updated_at)
    SELECT $1, last_issue_iid, $2, now, now FROM numbered RETURNING *
  ), written AS (
    INSERT INTO issue_texts (issue_id, title, description) SELECT id, $3, $4 FROM created
    RETURNING title, description
  )
  SELECT created.*, written.*, created.due_date::text AS due_day, '{}'::text[] AS labels,
    true AS is_subscribed, ${authorColumns}
  FROM created CROSS JOIN written JOIN users u ON u.id = created.author_id`;

const insertNote = `
  WITH talked AS (
    UPDATE issues SET user_notes_count = user_notes_count + 1, updated_at = now()
    WHERE project_id = $1 AND iid = $2 AND ($5 OR NOT is_confidential OR author_id = $3
      OR EXISTS (SELECT FROM issue_assignees a WHERE a.issue_id = issues.id AND a.user_id = $3))
    RETURNING id, iid
  ), created AS (
    INSERT INTO notes (issue_id, author_id, body, created_at, updated_at)
    SELECT id, $3, $4, now(), now() FROM talked RETURNING *
  )
  SELECT created.*, talked.iid, ${authorColumns}, u.email AS author_email,
    u.created_at AS author_created_at
  FROM created CROSS JOIN talked JOIN users u ON u.id = created.author_id`;

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

const path = /^\/issues(?:\/(\d+)\/notes)?$/;

/** Creates issues, and notes on them. */
export function twinWriting(pool: pg.Pool, access: TwinAccess, url: string) {
  return {
    respond: async (ctx: Context, viewer: TwinViewer | null, id: number, rest: string) => {
      if (!viewer) return ctx.throw(401);
      const [, iid] = path.exec(rest) ?? ctx.throw(404);
      const { title, description = null, body } = await bodyOf(ctx.req);
      const text = iid ? body : title;
      if (typeof text !== 'string' || text === '') return ctx.throw(400);
      const project = await access.project(ctx, viewer, id);
      if (!project.issues_enabled) return ctx.throw(403);
      const { rows } = iid
        ? await pool.query(insertNote, [
            ...[id, Number(iid), viewer.id, text, levelOf(project, viewer) >= reporter],
          ])
        : await pool.query(insertIssue, [id, viewer.id, text, description]);
      const [row] = rows;
      if (!row) return ctx.throw(404);
      ctx.status = 201;
      return JSON.stringify(
        iid
          ? noteShape(row, viewer, url)
          : fullIssueShape({ ...row, milestone_id: null }, project.full_path, url),
      );
    },
  };
}
