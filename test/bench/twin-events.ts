import type { Context } from 'koa';
import type pg from 'pg';
import { levelOf, maySeeCode, type TwinAccess } from './twin-access.ts';
import { eventColumns, eventJoins, eventShape } from './twin-event-shapes.ts';
import { type TwinFilterMaker, twinFilter, twinRows } from './twin-page.ts';
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

/** What of a project may be told of, each a condition on its columns. */
interface Told {
  readonly issues: string;
  readonly mergeRequests: string;
  readonly snippets: string;
}

/** What is switched off or not to be read is not told. */
const told = ({ issues, mergeRequests, snippets }: Told) => `CASE
  WHEN e.note_id IS NOT NULL THEN (
    SELECT CASE WHEN n.issue_id IS NOT NULL THEN ${issues}
      WHEN n.merge_request_id IS NOT NULL THEN ${mergeRequests} ELSE ${snippets} END
    FROM notes n WHERE n.id = e.note_id)
  WHEN e.target = 'issue' THEN ${issues}
  WHEN e.target = 'merge_request' THEN ${mergeRequests}
  ELSE true END`;

/** A snippet that needs no membership: it is open, in `$1`, or by the asker, `$2`. */
const openSnippet = `(SELECT s.visibility = ANY($1::visibility[]) OR s.author_id = $2
  FROM snippets s WHERE s.id = n.snippet_id)`;

/** About an issue that somebody, `$2`, wrote or is to do. */
const own = `EXISTS (SELECT FROM issues i
  WHERE i.id = coalesce((SELECT n.issue_id FROM notes n WHERE n.id = e.note_id),
      CASE WHEN e.target = 'issue' THEN e.target_id END)
    AND (i.author_id = $2 OR EXISTS (
      SELECT FROM issue_assignees a WHERE a.issue_id = i.id AND a.user_id = $2)))`;

const member = '(p.namespace_id = ANY($4::int[]) OR p.id = ANY($5::int[]))';
const code = '(p.visibility = ANY($1::visibility[]) OR p.id = ANY($3::int[]))';

/** What of all projects is seen: `$3` are those reported in, `$4` and `$5` where those of a member are. */
const seen = `NOT p.is_removed AND (p.visibility = ANY($1::visibility[]) OR ${member})
  AND (e.action <> 'pushed' OR ${code})
  AND (NOT e.is_confidential OR p.id = ANY($3::int[]) OR ${own})
  AND ${told({
    issues: 'p.issues_enabled',
    mergeRequests: `(p.merge_requests_enabled AND ${code})`,
    snippets: `(p.snippets_enabled AND (${openSnippet} OR ${member}))`,
  })}`;

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
          told({
            issues: `${issues}`,
            mergeRequests: `${mergeRequests}`,
            snippets: openSnippets ? openSnippet : `${snippets}`,
          }),
          ...(openSnippets ? [viewer.open, viewer.id] : []),
        );
      }
      if (level < reporter) {
        filter.add(`(NOT e.is_confidential OR ${own.replaceAll('$2', '$1')})`, viewer.id);
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
        seen,
        ...[viewer.open, viewer.id, projects, viewer.lists.namespaces, viewer.lists.projects],
      );
      return list(ctx, viewer, filter, 'JOIN projects p ON p.id = e.project_id');
    },
  };
}
