import type { Context } from 'koa';
import type pg from 'pg';
import type { SealingKey } from '../../server/accounts/secrets.ts';
import { levelOf, linksColumn, maySeeProject, ownMembership } from './twin-access.ts';
import { containing, pattern, type TwinFilterMaker, twinFilter, twinRows } from './twin-page.ts';
import { fullProject, simpleProject } from './twin-shapes.ts';
import { type TwinViewer, unexpired } from './twin-viewers.ts';

/** All columns of a project's JSON. */
const columns = `
  p.*, m.access_level AS own_level, ${linksColumn},
  n.name AS home_name, n.path AS home_path, n.kind AS home_kind, n.full_path AS home_full_path,
  n.parent_id AS home_parent_id, n.ancestor_ids, n.created_at AS home_created_at, n.owner_id,
  o.name AS owner_name, o.username AS owner_username, o.state AS owner_state,
  o.email_key AS owner_email_key, o.created_at AS owner_created_at`;

const joins = (viewer: TwinViewer) => `
  JOIN namespaces n ON n.id = p.namespace_id
  ${ownMembership(viewer)}
  LEFT JOIN users o ON o.id = n.owner_id`;

const simpleColumns = `
  p.id, p.description, p.default_branch, p.tag_list, p.full_path, p.name, p.full_name, p.path,
  p.star_count, p.forks_count, p.created_at, p.last_activity_at`;

const orders: ReadonlySet<string> = new Set([
  ...['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at'],
]);

const member = '(p.namespace_id = ANY($1::int[]) OR p.id = ANY($2::int[]))';

/** Projects that the viewer can see; for an administrator all. */
function addVisible(filter: TwinFilterMaker, viewer: TwinViewer | null): void {
  filter.add('NOT p.is_removed');
  if (!viewer) filter.add(`p.visibility = 'public'`);
  else if (!viewer.isAdmin) {
    filter.add(
      '(p.visibility = ANY($1::visibility[]) OR p.namespace_id = ANY($2::int[]) OR p.id = ANY($3::int[]))',
      viewer.open,
      viewer.lists.namespaces,
      viewer.lists.projects,
    );
  }
}

type QueryParameters = Readonly<Record<string, string | undefined>>;

function addFilters(
  filter: TwinFilterMaker,
  query: QueryParameters,
  viewer: TwinViewer | null,
): void {
  const isTrue = (name: string) => query[name] === 'true';
  filter.add('p.is_archived = $1', isTrue('archived'));
  if (query.visibility) filter.add('p.visibility = $1', query.visibility);
  if (query.search) {
    filter.add(
      containing(['p.path', 'p.name', 'p.description', 'p.namespace_name']),
      pattern(query.search),
    );
  }
  if (isTrue('with_issues_enabled')) filter.add('p.issues_enabled');
  if (isTrue('with_merge_requests_enabled')) filter.add('p.merge_requests_enabled');
  if (isTrue('owned')) {
    filter.add('p.namespace_id = ANY($1::int[])', viewer?.lists.ownedNamespaces ?? '{}');
  }
  if (isTrue('membership')) {
    filter.add(member, viewer?.lists.namespaces ?? '{}', viewer?.lists.projects ?? '{}');
  }
  if (isTrue('starred')) {
    filter.add(
      'p.id IN (SELECT project_id FROM project_stars WHERE user_id = $1)',
      viewer?.id ?? 0,
    );
  }
}

/** Responds with one project, and the listings of projects. */
export function twinProjects(
  pool: pg.Pool,
  secrets: SealingKey,
  { url, sshUrl }: { readonly url: string; readonly sshUrl: string },
) {
  const list = async (
    ctx: Context,
    viewer: TwinViewer | null,
    scope: (filter: TwinFilterMaker) => void = () => {},
    hasStatistics = true,
  ): Promise<string> => {
    const query = ctx.query as QueryParameters;
    const filter = twinFilter();
    scope(filter);
    addVisible(filter, viewer);
    addFilters(filter, query, viewer);
    const column = query.order_by ?? 'created_at';
    const direction = query.sort === 'asc' ? 'ASC' : 'DESC';
    if (!orders.has(column)) ctx.throw(400);
    const order = `ORDER BY p.${column} ${direction}, p.id ${direction}`;
    const isSimple = !viewer || query.simple === 'true';
    const statistics = hasStatistics && query.statistics === 'true';
    const rows = await twinRows(
      ctx,
      { pool, url },
      {
        filter,
        // rows skipped by the offset are not joined
        page: (where, bounds) => `
          SELECT ${isSimple ? simpleColumns : columns}
            ${statistics ? ', s.commit_count, s.repository_size, s.lfs_objects_size, s.job_artifacts_size' : ''}
          FROM (SELECT p.id FROM projects p ${where} ${order} ${bounds}) page
          JOIN projects p ON p.id = page.id
          ${isSimple ? '' : joins(viewer)}
          ${statistics ? 'LEFT JOIN project_statistics s ON s.project_id = p.id' : ''}
          ${order}`,
        count: (where) => `SELECT count(*)::int AS total FROM projects p ${where}`,
      },
    );
    return JSON.stringify(
      rows.map((row) =>
        isSimple ? simpleProject(row, url, sshUrl) : fullProject(row, viewer, url, sshUrl),
      ),
    );
  };

  return {
    list,
    listOfUser: async (ctx: Context, viewer: TwinViewer | null, user: string) => {
      const isId = /^\d+$/.test(user);
      const { rows } = await pool.query(
        `SELECT namespaces.id FROM namespaces JOIN users ON users.id = owner_id
         WHERE ${isId ? 'users.id' : 'users.username_key'} = $1`,
        [isId ? Number(user) : user.toLowerCase()],
      );
      const [namespace] = rows;
      if (!namespace) return ctx.throw(404);
      return list(ctx, viewer, ({ add }) => add('p.namespace_id = $1', namespace.id));
    },
    listOfGroup: (ctx: Context, viewer: TwinViewer | null, groupId: number) =>
      list(
        ctx,
        viewer,
        ({ add }) =>
          add(
            `(p.namespace_id = $1 OR p.id = ANY(ARRAY(
               SELECT project_id FROM project_group_links l
               WHERE l.namespace_id = $1 AND ${unexpired('l')})))`,
            groupId,
          ),
        false,
      ),
    show: async (ctx: Context, viewer: TwinViewer | null, id: number): Promise<string> => {
      if (!viewer) return ctx.throw(501);
      const { rows } = await pool.query(
        `SELECT ${columns} FROM projects p ${joins(viewer)} WHERE p.id = $1 AND NOT p.is_removed`,
        [id],
      );
      const [row] = rows;
      if (!row || !maySeeProject(row, viewer)) return ctx.throw(404);
      return JSON.stringify({
        ...fullProject(row, viewer, url, sshUrl),
        ...(levelOf(row, viewer) >= 40 && {
          runners_token: secrets.open(row.runners_token_sealed),
        }),
      });
    },
  };
}
