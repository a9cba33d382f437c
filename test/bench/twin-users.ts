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
import { administeredUser, basicUser } from './twin-shapes.ts';
import { type TwinViewer, unexpired } from './twin-viewers.ts';

type QueryParameters = Readonly<Record<string, string | undefined>>;

const basicColumns = 'u.id, u.name, u.username, u.state, u.email_key';

const allColumns = `u.*, u.last_activity_on::text AS last_activity_day,
  (SELECT json_agg(json_build_object('provider', i.provider, 'extern_uid', i.extern_uid) ORDER BY i.id)
   FROM identities i WHERE i.user_id = u.id) AS identities`;

const customAttribute = /^custom_attributes\[(.+)\]$/;

function addFilters(filter: TwinFilterMaker, query: QueryParameters, isAdmin: boolean): void {
  const { username, search } = query;
  if (username) filter.add('u.username_key = $1', username.toLowerCase());
  if (search) addSearch(filter, search, isAdmin);
  if (query.active === 'true') filter.add(`u.state = 'active'`);
  if (query.blocked === 'true') filter.add(`u.state IN ('blocked', 'ldap_blocked')`);
  if (!isAdmin) return;
  if (query.external === 'true') filter.add('u.is_external');
  if (query.created_after) filter.add('u.created_at > $1', query.created_after);
  if (query.created_before) filter.add('u.created_at < $1', query.created_before);
  if (query.provider) {
    filter.add(
      'u.id IN (SELECT user_id FROM identities WHERE provider = $1 AND extern_uid = $2)',
      query.provider,
      query.extern_uid,
    );
  }
  for (const [name, value] of Object.entries(query)) {
    const [, key] = customAttribute.exec(name) ?? [];
    if (key === undefined) continue;
    filter.add(
      'u.id IN (SELECT user_id FROM user_custom_attributes WHERE key = $1 AND value = $2)',
      key,
      value,
    );
  }
}

function addSearch(filter: TwinFilterMaker, search: string, isAdmin: boolean): void {
  if (isAdmin) filter.add(containing(['u.name', 'u.username', 'u.email']), pattern(search));
  else {
    filter.add(
      '(u.name ILIKE $1 OR u.username ILIKE $1 OR u.email_key = $2)',
      pattern(search),
      search.toLowerCase(),
    );
  }
}

/** Responds with one user, and the listings of users and members. */
export function twinUsers(pool: pg.Pool, access: TwinAccess, url: string) {
  const count = (where: string) => `SELECT count(*)::int AS total FROM users u ${where}`;

  const members = async (ctx: Context, column: 'namespace_id' | 'project_id', id: number) => {
    const { query } = ctx.query as QueryParameters;
    const filter = twinFilter();
    filter.add(`m.${column} = $1`, id);
    if (query) filter.add(containing(['u.name', 'u.username']), pattern(query));
    const rows = await twinRows(
      ctx,
      { pool, url },
      {
        filter,
        page: (where, bounds) => `
          SELECT ${basicColumns}, m.access_level, m.expires_at::text AS expires_at
          FROM members m JOIN users u ON u.id = m.user_id ${where} ORDER BY m.id ${bounds}`,
        count: (where) =>
          `SELECT count(*)::int AS total FROM members m ${query ? 'JOIN users u ON u.id = m.user_id' : ''} ${where}`,
      },
    );
    return JSON.stringify(
      rows.map((row) => ({
        ...basicUser(row, url),
        access_level: row.access_level,
        expires_at: row.expires_at,
      })),
    );
  };

  return {
    list: async (ctx: Context, viewer: TwinViewer | null): Promise<string> => {
      const query = ctx.query as QueryParameters;
      if (!viewer && !query.username) return ctx.throw(403);
      const isAdmin = viewer?.isAdmin === true;
      const filter = twinFilter();
      addFilters(filter, query, isAdmin);
      const rows = await twinRows(
        ctx,
        { pool, url },
        {
          filter,
          page: (where, bounds) =>
            `SELECT ${isAdmin ? allColumns : basicColumns} FROM users u ${where} ORDER BY u.id DESC ${bounds}`,
          count,
        },
      );
      return JSON.stringify(
        rows.map((row) => (isAdmin ? administeredUser(row, url) : basicUser(row, url))),
      );
    },
    projectUsers: async (ctx: Context, viewer: TwinViewer | null, id: number): Promise<string> => {
      const { search } = ctx.query as QueryParameters;
      const { ancestor_ids: above, links } = await access.project(ctx, viewer, id);
      const shared = (links ?? []).flatMap((link: Row) => link.ancestor_ids);
      const filter = twinFilter();
      filter.add(
        `u.id IN (
           SELECT user_id FROM members m WHERE m.project_id = $1 AND ${unexpired('m')}
           UNION ALL
           SELECT user_id FROM members m WHERE m.namespace_id = ANY($2::int[]) AND ${unexpired('m')})`,
        id,
        [...above, ...shared],
      );
      if (search) addSearch(filter, search, false);
      const rows = await twinRows(
        ctx,
        { pool, url },
        {
          filter,
          page: (where, bounds) =>
            `SELECT ${basicColumns} FROM users u ${where} ORDER BY u.id ${bounds}`,
          count,
        },
      );
      return JSON.stringify(rows.map((row) => basicUser(row, url)));
    },
    projectMembers: async (ctx: Context, viewer: TwinViewer | null, id: number) => {
      await access.project(ctx, viewer, id);
      return members(ctx, 'project_id', id);
    },
    groupMembers: (ctx: Context, id: number) => members(ctx, 'namespace_id', id),
  };
}
