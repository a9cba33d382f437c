import type { Context } from 'koa';
import type pg from 'pg';
import type { Row } from './twin-page.ts';
import { levelIn, type TwinViewer, unexpired } from './twin-viewers.ts';

const owner = 50;
const reporter = 20;

/** The active group shares of project `p`, with the group fields that access checks need. */
export const linksColumn = `
  (SELECT json_agg(json_build_object('id', g.id, 'name', g.name, 'visibility', g.visibility,
     'ancestor_ids', g.ancestor_ids, 'level', l.access_level) ORDER BY l.id)
   FROM project_group_links l JOIN namespaces g ON g.id = l.namespace_id
   WHERE l.project_id = p.id AND NOT g.is_removed AND ${unexpired('l')}) AS links`;

/** The viewer's direct membership of project `p`. */
export const ownMembership = (viewer: TwinViewer | null) =>
  `LEFT JOIN members m ON m.project_id = p.id AND m.user_id = ${viewer?.id ?? 0} AND ${unexpired('m')}`;

/** The highest access level: direct, inherited from a group, or from a share. */
export function levelOf(row: Row, viewer: TwinViewer | null): number {
  if (!viewer) return 0;
  if (viewer.isAdmin || row.owner_id === viewer.id) return owner;
  const shared = (row.links ?? []).map((link: Row) =>
    Math.min(link.level, levelIn(link.ancestor_ids, viewer)),
  );
  return Math.max(row.own_level ?? 0, levelIn(row.ancestor_ids, viewer), ...shared);
}

const isOpen = (visibility: string, viewer: TwinViewer | null): boolean =>
  viewer ? viewer.isAdmin || viewer.open.includes(visibility) : visibility === 'public';

/** Whether the viewer can see the project; `row` holds what `levelOf` reads. */
export const maySeeProject = (row: Row, viewer: TwinViewer | null): boolean =>
  isOpen(row.visibility, viewer) || levelOf(row, viewer) > 0;

/** Whether the viewer can read the code; guests of a private project cannot. */
export const maySeeCode = (row: Row, viewer: TwinViewer | null): boolean =>
  isOpen(row.visibility, viewer) || levelOf(row, viewer) >= reporter;

const projectStatement = (viewer: TwinViewer | null) => `
  SELECT p.id, p.visibility, p.disk_path, p.default_branch, p.full_path, p.issues_enabled,
    p.merge_requests_enabled, p.snippets_enabled, p.wiki_enabled, n.ancestor_ids, n.owner_id,
    m.access_level AS own_level, ${linksColumn}
  FROM projects p JOIN namespaces n ON n.id = p.namespace_id ${ownMembership(viewer)}
  WHERE p.id = $1 AND NOT p.is_removed`;

const groupStatement = `
  SELECT id, visibility, ancestor_ids FROM namespaces
  WHERE id = $1 AND kind = 'group' AND NOT is_removed`;

/** Finds one project or group by id; responds with 404 if it is not visible. */
export function twinAccess(pool: pg.Pool) {
  return {
    project: async (ctx: Context, viewer: TwinViewer | null, id: number): Promise<Row> => {
      const { rows } = await pool.query(projectStatement(viewer), [id]);
      const [row] = rows;
      return row && maySeeProject(row, viewer) ? row : ctx.throw(404);
    },
    group: async (ctx: Context, viewer: TwinViewer | null, id: number): Promise<Row> => {
      const { rows } = await pool.query(groupStatement, [id]);
      const [row] = rows;
      if (row && (isOpen(row.visibility, viewer) || viewer?.knownGroups.has(id))) return row;
      return ctx.throw(404);
    },
  };
}

export type TwinAccess = ReturnType<typeof twinAccess>;
