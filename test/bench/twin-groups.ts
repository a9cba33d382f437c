import type { Context } from 'koa';
import type pg from 'pg';
import type { TwinAccess } from './twin-access.ts';
import {
  containing,
  pattern,
  type Row,
  type TwinFilterMaker,
  twinFilter,
  twinRows,
} from './twin-page.ts';
import { levelIn, type TwinViewer, unexpired } from './twin-viewers.ts';

const master = 40;

function addVisible(filter: TwinFilterMaker, viewer: TwinViewer | null): void {
  filter.add(`n.kind = 'group' AND NOT n.is_removed`);
  if (!viewer) filter.add(`n.visibility = 'public'`);
  else if (!viewer.isAdmin) {
    filter.add(
      '(n.visibility = ANY($1::visibility[]) OR n.id = ANY($2::int[]))',
      viewer.open,
      viewer.lists.knownGroups,
    );
  }
}

const statisticsColumns = `,
  (SELECT row_to_json(sizes) FROM (
     SELECT coalesce(sum(repository_size + lfs_objects_size + job_artifacts_size), 0) AS storage_size,
       coalesce(sum(repository_size), 0) AS repository_size,
       coalesce(sum(lfs_objects_size), 0) AS lfs_objects_size,
       coalesce(sum(job_artifacts_size), 0) AS job_artifacts_size
     FROM projects p JOIN project_statistics s ON s.project_id = p.id
     WHERE p.namespace_id = n.id AND NOT p.is_removed) sizes) AS statistics`;

const orders: ReadonlySet<string> = new Set(['name', 'path', 'id']);

/** Responds with the listings of groups and of namespaces. */
export function twinGroups(pool: pg.Pool, access: TwinAccess, url: string) {
  const shape = (row: Row) => ({
    id: row.id,
    name: row.name,
    path: row.path,
    description: row.description,
    visibility: row.visibility,
    lfs_enabled: row.lfs_enabled,
    avatar_url: null,
    web_url: `${url}/groups/${row.full_path}`,
    request_access_enabled: row.request_access_enabled,
    full_name: row.full_name,
    full_path: row.full_path,
    parent_id: row.parent_id,
    ...(row.statistics && { statistics: row.statistics }),
  });

  const list = async (
    ctx: Context,
    viewer: TwinViewer | null,
    scope: (filter: TwinFilterMaker) => void = () => {},
  ): Promise<string> => {
    const query = ctx.query as Readonly<Record<string, string | undefined>>;
    const filter = twinFilter();
    scope(filter);
    if (viewer && !viewer.isAdmin && query.all_available === 'false') {
      filter.add(`n.kind = 'group' AND NOT n.is_removed`);
      filter.add('n.id = ANY($1::int[])', viewer.lists.namespaces);
    } else addVisible(filter, viewer);
    if (query.search) filter.add(containing(['n.name', 'n.path']), pattern(query.search));
    if (query.owned === 'true')
      filter.add('n.id = ANY($1::int[])', viewer?.lists.ownedGroups ?? '{}');
    const skipped = ctx.query['skip_groups[]'];
    if (skipped) filter.add('NOT n.id = ANY($1::int[])', [skipped].flat().map(Number));
    const column = query.order_by ?? 'name';
    if (!orders.has(column)) ctx.throw(400);
    const direction = query.sort === 'desc' ? 'DESC' : 'ASC';
    const order = `ORDER BY n.${column} ${direction}, n.id ${direction}`;
    const hasStatistics = query.statistics === 'true' && viewer?.isAdmin;
    const rows = await twinRows(
      ctx,
      { pool, url },
      {
        filter,
        page: (where, bounds) => `
          SELECT n.* ${hasStatistics ? statisticsColumns : ''}
          FROM (SELECT n.id FROM namespaces n ${where} ${order} ${bounds}) page
          JOIN namespaces n ON n.id = page.id ${order}`,
        count: (where) => `SELECT count(*)::int AS total FROM namespaces n ${where}`,
      },
    );
    return JSON.stringify(rows.map(shape));
  };

  return {
    list,
    subgroups: async (ctx: Context, viewer: TwinViewer | null, id: number): Promise<string> => {
      await access.group(ctx, viewer, id);
      return list(ctx, viewer, ({ add }) => add('n.parent_id = $1', id));
    },
    namespaces: async (ctx: Context, viewer: TwinViewer | null): Promise<string> => {
      if (!viewer) return ctx.throw(401);
      const { search } = ctx.query as Readonly<Record<string, string | undefined>>;
      const filter = twinFilter();
      filter.add('NOT n.is_removed');
      if (!viewer.isAdmin) {
        filter.add('(n.id = ANY($1::int[]) OR n.owner_id = $2)', viewer.lists.groups, viewer.id);
      }
      if (search) filter.add(containing(['n.name', 'n.path']), pattern(search));
      const rows = await twinRows(
        ctx,
        { pool, url },
        {
          filter,
          page: (where, bounds) => `
            SELECT n.id, n.name, n.path, n.kind, n.full_path, n.parent_id, n.ancestor_ids
            FROM namespaces n ${where} ORDER BY n.id ${bounds}`,
          count: (where) => `SELECT count(*)::int AS total FROM namespaces n ${where}`,
        },
      );
      const mayCount = (row: Row) =>
        row.kind === 'group' && (viewer.isAdmin || levelIn(row.ancestor_ids, viewer) >= master);
      const counts = await membersBelow(rows.filter(mayCount).map(({ id }) => id));
      return JSON.stringify(
        rows.map((row) => ({
          id: row.id,
          name: row.name,
          path: row.path,
          kind: row.kind,
          full_path: row.full_path,
          parent_id: row.parent_id,
          ...(mayCount(row) && { members_count_with_descendants: counts.get(row.id) ?? 0 }),
        })),
      );
    },
  };

  async function membersBelow(ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
    if (ids.length === 0) return new Map();
    const { rows } = await pool.query(
      `SELECT target.id, (
         SELECT count(DISTINCT m.user_id)::int FROM namespaces n JOIN members m ON m.namespace_id = n.id
         WHERE n.ancestor_ids @> ARRAY[target.id] AND NOT n.is_removed AND ${unexpired('m')}) AS count
       FROM unnest($1::int[]) target(id)`,
      [ids],
    );
    return new Map(rows.map(({ id, count }) => [id, count]));
  }
}
