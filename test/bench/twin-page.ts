import type { Context } from 'koa';
import type pg from 'pg';

export interface TwinPage {
  readonly page: number;
  readonly perPage: number;
}

export const twinPage = ({ query }: Context): TwinPage => ({
  page: Math.max(Number(query.page ?? 1), 1),
  perPage: Math.min(Number(query.per_page ?? 20), 100),
});

/** The Link header of a long URL would repeat it four times, so it is left out. */
const longestLink = 8_000;

/** Sets X-Total and the other pagination headers, and Link, for a listing of `total` rows. */
export function setTwinPage(
  ctx: Context,
  url: string,
  { page, perPage }: TwinPage,
  total: number,
): void {
  const last = Math.max(Math.ceil(total / perPage), 1);
  const previous = page > 1 && page <= last ? page - 1 : null;
  const next = page < last ? page + 1 : null;
  const query = new URLSearchParams(ctx.querystring);
  query.set('per_page', String(perPage));
  const link = (to: number | null, rel: string) => {
    if (to === null) return [];
    query.set('page', String(to));
    query.sort();
    return [`<${url}${ctx.path}?${query}>; rel="${rel}"`];
  };
  const links = [link(previous, 'prev'), link(next, 'next'), link(1, 'first'), link(last, 'last')];
  const { res } = ctx;
  res.setHeader('X-Total', String(total));
  res.setHeader('X-Total-Pages', String(last));
  res.setHeader('X-Per-Page', String(perPage));
  res.setHeader('X-Page', String(page));
  res.setHeader('X-Next-Page', String(next ?? ''));
  res.setHeader('X-Prev-Page', String(previous ?? ''));
  const text = links.flat().join(', ');
  if (text.length <= longestLink) res.setHeader('Link', text);
}

// biome-ignore lint/suspicious/noExplicitAny: rows have the columns of the statement
export type Row = any;

/** The conditions of a listing and their parameters. */
export interface TwinFilter {
  readonly conditions: readonly string[];
  readonly values: readonly unknown[];
}

/** Collects conditions; `$1` in a condition is its own first parameter. */
export function twinFilter() {
  const conditions: string[] = [];
  const values: unknown[] = [];
  return {
    conditions,
    values,
    add: (condition: string, ...parameters: readonly unknown[]) => {
      const placeholders = parameters.map((value) => `$${values.push(value)}`);
      conditions.push(
        condition.replace(/\$(\d)/g, (_, number) => placeholders[Number(number) - 1] ?? ''),
      );
    },
  };
}

export type TwinFilterMaker = ReturnType<typeof twinFilter>;

/** Queries a page and the total in parallel; sets the headers, gives the rows. */
export async function twinRows(
  ctx: Context,
  { pool, url }: { readonly pool: pg.Pool; readonly url: string },
  statements: {
    readonly filter: TwinFilter;
    /** The statement of a page, given its WHERE clause, and LIMIT and OFFSET. */
    readonly page: (where: string, bounds: string) => string;
    readonly count: (where: string) => string;
  },
): Promise<Row[]> {
  const { conditions, values } = statements.filter;
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  const page = twinPage(ctx);
  const bounds = `LIMIT ${page.perPage} OFFSET ${(page.page - 1) * page.perPage}`;
  const [{ rows }, count] = await Promise.all([
    pool.query(statements.page(where, bounds), [...values]),
    pool.query(statements.count(where), [...values]),
  ]);
  setTwinPage(ctx, url, page, count.rows[0].total);
  return rows;
}

/** Case-insensitive search for a text in any of `columns`. */
export const containing = (columns: readonly string[]) =>
  `(${columns.map((column) => `${column} ILIKE $1`).join(' OR ')})`;

export const pattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
