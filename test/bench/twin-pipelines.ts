import type { Context } from 'koa';
import type pg from 'pg';
import type { TwinAccess } from './twin-access.ts';
import { twinFilter, twinRows } from './twin-page.ts';
import type { TwinViewer } from './twin-viewers.ts';

/** Lists the pipelines of a project whose jobs are public. */
export function twinPipelines(pool: pg.Pool, access: TwinAccess, url: string) {
  return {
    respond: async (ctx: Context, viewer: TwinViewer | null, id: number): Promise<string> => {
      if (!viewer) return ctx.throw(401);
      await access.project(ctx, viewer, id);
      const filter = twinFilter();
      filter.add('project_id = $1', id);
      if (ctx.query.status) filter.add('status = $1::ci_status', ctx.query.status);
      const rows = await twinRows(
        ctx,
        { pool, url },
        {
          filter,
          page: (where, bounds) =>
            `SELECT id, sha, ref, status FROM pipelines ${where} ORDER BY id DESC ${bounds}`,
          count: (where) => `SELECT count(*)::int AS total FROM pipelines ${where}`,
        },
      );
      return JSON.stringify(rows);
    },
  };
}
