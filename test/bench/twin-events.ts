import type { Context } from 'koa';
import type pg from 'pg';
import { levelOf, maySeeCode, type TwinAccess } from './twin-access.ts';
import { eventColumns, eventJoins, eventShape } from './twin-event-shapes.ts';
import { type TwinFilterMaker, twinFilter, twinRows } from './twin-page.ts';
import { type TwinViewer, unexpired } from './twin-viewers.ts';

const reporter = 20;

/** The projects in which a user is a reporter or higher. */
const findReported = `
  WITH held AS (SELECT id FROM namespaces WHERE ancestor_ids && $2::int[] AND NOT is_removed)
  SELECT id FROM projects
  WHERE namespace_id IN (SELECT id FROM held UNION ALL SELECT id FROM namespaces WHERE owner_id = $1)
  UNION SELECT project_id FROM members
  WHERE user_id = $1 AND project_id IS NOT NULL AND access_level >= 20 AND ${unexpired('members')}
  UNION SELECT project_id FROM project_group_links links
  WHERE access_level >= 20 AND namespace_id IN (SELECT id FROM held) AND ${unexpired('links')}`;

/** Which events of a project are visible; each is a condition on its columns. */
interface VisibleTargets {
  readonly issues: string;
  readonly mergeRequests: string;
  readonly snippets: string;
}

/** Excludes events of disabled features and of targets that the viewer cannot read. */
const visibleTarget = ({ issues, mergeRequests, snippets }: VisibleTargets) => `CASE
  WHEN e.note_id IS NOT NULL THEN (
    SELECT CASE WHEN n.issue_id IS NOT NULL THEN ${issues}
      WHEN n.merge_request_id IS NOT NULL THEN ${mergeRequests} ELSE ${snippets} END
    FROM notes n WHERE n.id = e.note_id)
  WHEN e.target = 'issue' THEN ${issues}
  WHEN e.target = 'merge_request' THEN ${mergeRequests}
  ELSE true END`;

/** A snippet that needs no membership: its visibility is in `$1`, or the viewer, `$2`, is its author. */
const openSnippet = `(SELECT s.visibility = ANY($1::visibility[]) OR s.author_id = $2
  FROM snippets s WHERE s.id = n.snippet_id)`;

/** The event's issue has the viewer, `$2`, as its author or an assignee. */
const ownIssue = `EXISTS (SELECT FROM issues i
  WHERE i.id = coalesce((SELECT n.issue_id FROM notes n WHERE n.id = e.note_id),
      CASE WHEN e.target = 'issue' THEN e.target_id END)
    AND (i.author_id = $2 OR EXISTS (
      SELECT FROM issue_assignees a WHERE a.issue_id = i.id AND a.user_id = $2)))`;

const member = '(p.namespace_id = ANY($4::int[]) OR p.id = ANY($5::int[]))';
const code = '(p.visibility = ANY($1::visibility[]) OR p.id = ANY($3::int[]))';

/** Visible events of all projects: `$3` are projects with reporter access, `$4` and `$5` memberships. */
const visibleEvents = `NOT p.is_removed AND (p.visibility = ANY($1::visibility[]) OR ${member})
  AND (e.action <> 'pushed' OR ${code})
  AND (NOT e.is_confidential OR p.id = ANY($3::int[]) OR ${ownIssue})
  AND ${visibleTarget({
    issues: 'p.issues_enabled',
    mergeRequests: `(p.merge_requests_enabled AND ${code})`,
    snippets: `(p.snippets_enabled AND (${openSnippet} OR ${member}))`,
  })}`;

/** Responds with the events of a project or a user. */
export function twinEvents(pool: pg.Pool, access: TwinAccess, url: string) {
  const reported = new WeakMap<TwinViewer, Promise<string>>();

  const reportedBy = (viewer: TwinViewer): Promise<string> => {
    const cached = reported.get(viewer);
    if (cached) return cached;
    const groups = [...viewer.groupLevels].flatMap(([id, level]) =>
      level >= reporter ? [id] : [],
    );
    const pending = pool
      .query(findReported, [viewer.id, groups])
      .then(({ rows }) => `{${rows.map(({ id }) => id).join(',')}}`);
    reported.set(viewer, pending);
    return pending;
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

  return {
    ofProject: async (ctx: Context, viewer: TwinViewer | null, id: number) => {
      if (!viewer) return ctx.throw(401);
      const project = await access.project(ctx, viewer, id);
      const filter = twinFilter();
      filter.add('e.project_id = $1', id);
      const level = levelOf(project, viewer);
      const readsCode = maySeeCode(project, viewer);
      const issues = project.issues_enabled;
      const mergeRequests = project.merge_requests_enabled && readsCode;
      const snippets = project.snippets_enabled;
      const openSnippets = snippets && level === 0;
      if (!issues || !mergeRequests || !snippets || openSnippets) {
        filter.add(
          visibleTarget({
            issues: `${issues}`,
            mergeRequests: `${mergeRequests}`,
            snippets: openSnippets ? openSnippet : `${snippets}`,
          }),
          ...(openSnippets ? [viewer.open, viewer.id] : []),
        );
      }
      if (level < reporter) {
        filter.add(`(NOT e.is_confidential OR ${ownIssue.replaceAll('$2', '$1')})`, viewer.id);
      }
      if (!readsCode) filter.add(`e.action <> 'pushed'`);
      return list(ctx, viewer, filter);
    },
    ofUser: async (ctx: Context, viewer: TwinViewer | null, id: number) => {
      if (!viewer || viewer.isAdmin) return ctx.throw(401);
      const projects = await reportedBy(viewer);
      const filter = twinFilter();
      filter.add('e.author_id = $1', id);
      filter.add(
        visibleEvents,
        ...[viewer.open, viewer.id, projects, viewer.lists.namespaces, viewer.lists.projects],
      );
      return list(ctx, viewer, filter, 'JOIN projects p ON p.id = e.project_id');
    },
  };
}
