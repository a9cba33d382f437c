import type { Context } from 'koa';
import type pg from 'pg';
import { levelOf, maySeeCode, type TwinAccess } from './twin-access.ts';
import { eventColumns, eventJoins, eventShape } from './twin-event-shapes.ts';
import { type Row, type TwinFilterMaker, twinFilter, twinRows } from './twin-page.ts';
import { type TwinViewer, unexpired } from './twin-viewers.ts';

const reporter = 20;

/** The projects in which somebody is a reporter or more. */
const findReported = `
  WITH held AS (SELECT id FROM namespaces WHERE ancestor_ids && $2::int[] AND NOT is_removed)
  SELECT id FROM projects
  WHERE namespace_id IN (SELECT id FROM held UNION ALL SELECT id FROM namespaces WHERE owner_id = $1)
  UNION SELECT project_id FROM members
  WHERE user_id = $1 AND project_id IS NOT NULL AND access_level >= 20 AND ${unexpired('members')}
  UNION SELECT project_id FROM project_group_links links
  WHERE access_level >= 20 AND namespace_id IN (SELECT id FROM held) AND ${unexpired('links')}`;

/** What was said and taken back is no event. */
const stillSaid = '(e.note_id IS NULL OR EXISTS (SELECT FROM notes n WHERE n.id = e.note_id))';

/** What a project has switched off is not told of it. */
const switchedOn = `CASE e.target
  WHEN 'issue' THEN p.are_issues_enabled
  WHEN 'merge_request' THEN p.are_merge_requests_enabled
  WHEN 'snippet' THEN p.are_snippets_enabled
  WHEN 'note' THEN EXISTS (SELECT FROM notes n WHERE n.id = e.note_id AND CASE
    WHEN n.issue_id IS NOT NULL THEN p.are_issues_enabled
    WHEN n.merge_request_id IS NOT NULL THEN p.are_merge_requests_enabled
    ELSE p.are_snippets_enabled END)
  ELSE true END`;

/** About an issue that somebody wrote or is to do. */
const own = `EXISTS (SELECT FROM issues i
  WHERE i.id = coalesce((SELECT n.issue_id FROM notes n WHERE n.id = e.note_id),
      CASE WHEN e.target = 'issue' THEN e.target_id END)
    AND (i.author_id = $1 OR EXISTS (
      SELECT FROM issue_assignees a WHERE a.issue_id = i.id AND a.user_id = $1)))`;

/** Answers what was done in a project, and what somebody did. */
export function twinEvents(pool: pg.Pool, access: TwinAccess, url: string) {
  const reported = new WeakMap<TwinViewer, Promise<string>>();

  const reportedBy = (viewer: TwinViewer): Promise<string> => {
    const known = reported.get(viewer);
    if (known) return known;
    const groups = [...viewer.groupLevels].flatMap(([id, level]) =>
      level >= reporter ? [id] : [],
    );
    const made = pool
      .query(findReported, [viewer.id, groups])
      .then(({ rows }) => `{${rows.map(({ id }) => id).join(',')}}`);
    reported.set(viewer, made);
    return made;
  };

  const list = async (
    ctx: Context,
    viewer: TwinViewer,
    filter: TwinFilterMaker,
    join = '',
  ): Promise<string> => {
    const rows = await twinRows(
      ctx,
      { pool, url },
      {
        filter,
        page: (where, bounds) => `
          SELECT ${eventColumns}
          FROM (SELECT e.id FROM events e ${join} ${where}
            ORDER BY e.created_at DESC, e.id DESC ${bounds}) page
          JOIN events e ON e.id = page.id ${eventJoins}
          ORDER BY e.created_at DESC, e.id DESC`,
        count: (where) => `SELECT count(*)::int AS total FROM events e ${join} ${where}`,
      },
    );
    return JSON.stringify(rows.map((row) => eventShape(row, viewer, url)));
  };

  /** The project is at hand: what it has switched on needs no look into the database. */
  const addSwitchedOn = (filter: TwinFilterMaker, project: Row) => {
    const off = [
      ...(project.are_issues_enabled ? [] : ['issue']),
      ...(project.are_merge_requests_enabled ? [] : ['merge_request']),
      ...(project.are_snippets_enabled ? [] : ['snippet']),
    ];
    if (off.length === 0) return;
    filter.add('(e.target IS NULL OR e.target <> ALL($1::event_target[]))', off);
    filter.add(
      `(e.target IS DISTINCT FROM 'note' OR EXISTS (SELECT FROM notes n WHERE n.id = e.note_id AND
        CASE WHEN n.issue_id IS NOT NULL THEN 'issue' WHEN n.merge_request_id IS NOT NULL
          THEN 'merge_request' ELSE 'snippet' END <> ALL($1::text[])))`,
      off,
    );
  };

  return {
    ofProject: async (ctx: Context, viewer: TwinViewer | null, id: number) => {
      if (!viewer) return ctx.throw(401);
      const project = await access.project(ctx, viewer, id);
      const filter = twinFilter();
      filter.add('e.project_id = $1', id);
      filter.add(stillSaid);
      addSwitchedOn(filter, project);
      if (levelOf(project, viewer) < reporter) {
        filter.add(`(NOT e.is_confidential OR ${own})`, viewer.id);
      }
      if (!maySeeCode(project, viewer)) filter.add(`e.action <> 'pushed'`);
      return list(ctx, viewer, filter);
    },
    ofUser: async (ctx: Context, viewer: TwinViewer | null, id: number) => {
      if (!viewer || viewer.isAdmin) return ctx.throw(401);
      const projects = await reportedBy(viewer);
      const filter = twinFilter();
      filter.add('e.author_id = $1', id);
      filter.add(stillSaid);
      filter.add('NOT p.is_removed');
      filter.add(
        '(p.visibility = ANY($1::visibility[]) OR p.namespace_id = ANY($2::int[]) OR p.id = ANY($3::int[]))',
        ...[viewer.open, viewer.lists.namespaces, viewer.lists.projects],
      );
      filter.add(switchedOn);
      filter.add(
        `(e.action <> 'pushed' OR p.visibility = ANY($1::visibility[]) OR p.id = ANY($2::int[]))`,
        ...[viewer.open, projects],
      );
      filter.add(
        `(NOT e.is_confidential OR e.project_id = ANY($2::int[]) OR ${own})`,
        ...[viewer.id, projects],
      );
      return list(ctx, viewer, filter, 'JOIN projects p ON p.id = e.project_id');
    },
  };
}
