import { Prisma } from '../../prisma/client.ts';
import { literal } from './search.ts';
import type { Viewer } from './viewer.ts';
import { openTo } from './viewer.ts';

/** Conditions of a listing, all of which hold; there is always one. */
export const every = (conditions: readonly Prisma.Sql[]): Prisma.Sql =>
  Prisma.join([...conditions], ' AND ');

/** Conditions of which one holds. */
export const some = (conditions: readonly Prisma.Sql[]): Prisma.Sql =>
  Prisma.sql`(${Prisma.join([...conditions], ' OR ')})`;

export const nothing: Prisma.Sql = Prisma.sql`false`;

/** A text anywhere in one of these columns, in any case of letters. */
export function holding(text: string, columns: readonly string[]): Prisma.Sql {
  const pattern = `%${literal(text)}%`;
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

/**
 * What has not run out, as `unexpired` says it to Prisma: memberships and shares end at the beginning
 * of the day named. `table` is a word of ours, where two tables have the column.
 */
export const notRunOut = (table?: string): string => {
  const column = table ? `${table}.expires_at` : 'expires_at';
  return `(${column} IS NULL OR ${column} > (now() AT TIME ZONE 'UTC')::date)`;
};

export const unexpiredRows: Prisma.Sql = Prisma.raw(notRunOut());
