import { Prisma } from '../../prisma/client.ts';
import { openTo } from './access.ts';
import type { Viewer } from './context.ts';

/** Conditions of a listing, all of which hold; there is always one. */
export const every = (conditions: readonly Prisma.Sql[]): Prisma.Sql =>
  Prisma.join([...conditions], ' AND ');

/** Conditions of which one holds. */
export const some = (conditions: readonly Prisma.Sql[]): Prisma.Sql =>
  Prisma.sql`(${Prisma.join([...conditions], ' OR ')})`;

export const nothing: Prisma.Sql = Prisma.sql`false`;

/** A text anywhere in one of these columns, in any case of letters; `%` and `_` in it are themselves. */
export function holding(text: string, columns: readonly string[]): Prisma.Sql {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return some(columns.map((column) => Prisma.sql`${Prisma.raw(column)} ILIKE ${pattern}`));
}

/** What needs no membership. In words and not as values: a cast of each row's would cost more than all else. */
export const isOpenTo = (viewer: Viewer | null): Prisma.Sql =>
  Prisma.raw(`visibility IN (${openTo(viewer).map(quoted).join(', ')})`);

const quoted = (word: string) => `'${word}'`;

/** Lists as PostgreSQL reads them; a viewer's are written once and sent with each of their requests. */
const written = new WeakMap<readonly number[], string>();

/** A list of ids as one parameter, a text: an array would be taken apart and put together each time. */
export function list(ids: readonly number[]): Prisma.Sql {
  const text = written.get(ids) ?? `{${ids.join(',')}}`;
  written.set(ids, text);
  return Prisma.sql`${text}::int[]`;
}

/** A list of ids as rows: `id IN (${rows(ids)})` is looked up by hash. */
export const rows = (ids: readonly number[]): Prisma.Sql => Prisma.sql`SELECT unnest(${list(ids)})`;

/** The same day for all statements of a request; memberships and shares end at its beginning. */
export const unexpiredRows: Prisma.Sql = Prisma.raw(
  `(expires_at IS NULL OR expires_at > (now() AT TIME ZONE 'UTC')::date)`,
);

export interface RowsAsked {
  readonly skip: number;
  readonly take: number;
}

/** The ids of a page, in their order; `column` and `direction` are words of ours. */
export const idsOfPage = (
  table: string,
  where: Prisma.Sql,
  { column, direction }: { readonly column: string; readonly direction: 'asc' | 'desc' },
  { skip, take }: RowsAsked,
): Prisma.Sql => {
  // the id settles ties, so that no row is on two pages
  const order = column === 'id' ? `id ${direction}` : `${column} ${direction}, id ${direction}`;
  return Prisma.sql`SELECT id FROM ${Prisma.raw(table)} WHERE ${where}
    ORDER BY ${Prisma.raw(order)} LIMIT ${take} OFFSET ${skip}`;
};

/** How many rows a listing has. */
export const numberOf = (table: string, where: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`SELECT count(*)::int AS total FROM ${Prisma.raw(table)} WHERE ${where}`;
