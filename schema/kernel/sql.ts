import { Prisma } from '../../prisma/client.ts';
import { literal } from './search.ts';
import type { Viewer } from './viewer.ts';
import { openTo } from './viewer.ts';

/** Combines the conditions of a listing with AND; all rows match if there are none. */
export const allOf = (conditions: readonly Prisma.Sql[]): Prisma.Sql =>
  conditions.length === 0 ? Prisma.sql`true` : Prisma.join([...conditions], ' AND ');

/** Combines conditions with OR. */
export const anyOf = (conditions: readonly Prisma.Sql[]): Prisma.Sql =>
  Prisma.sql`(${Prisma.join([...conditions], ' OR ')})`;

export const noRows: Prisma.Sql = Prisma.sql`false`;

/** A case-insensitive substring condition on any of these columns. */
export function containsText(text: string, columns: readonly string[]): Prisma.Sql {
  const pattern = `%${literal(text)}%`;
  return anyOf(columns.map((column) => Prisma.sql`${Prisma.raw(column)} ILIKE ${pattern}`));
}

/**
 * Records visible without membership. The visibilities are literals, because casting a parameter
 * for each row would cost more than the rest of the query.
 */
export const isOpenTo = (viewer: Viewer | null): Prisma.Sql =>
  Prisma.raw(`visibility IN (${openTo(viewer).map(quoted).join(', ')})`);

const quoted = (word: string) => `'${word}'`;

/** Id lists as PostgreSQL literals; a viewer's lists are formatted once for all their requests. */
const formatted = new WeakMap<readonly number[], string>();

/** A list of ids as one text parameter: the driver would split and join an array each time. */
export function list(ids: readonly number[]): Prisma.Sql {
  const text = formatted.get(ids) ?? `{${ids.join(',')}}`;
  formatted.set(ids, text);
  return Prisma.sql`${text}::int[]`;
}

/**
 * Whether a column is one of these ids. One id is compared as such: PostgreSQL keeps the plan for it,
 * but plans a statement with an array each time, because it expects ten ids of an unknown array.
 */
export const isAmong = (column: Prisma.Sql, ids: readonly number[]): Prisma.Sql =>
  ids.length === 1 ? Prisma.sql`${column} = ${ids[0]}` : Prisma.sql`${column} = ANY(${list(ids)})`;

/** A list of ids as rows: `id IN (${rows(ids)})` uses a hash lookup. */
export const rows = (ids: readonly number[]): Prisma.Sql => Prisma.sql`SELECT unnest(${list(ids)})`;

/**
 * The SQL twin of `unexpired`: memberships and shares expire at the start of the given day. `table`
 * is a constant, needed where two tables have the column.
 */
export const unexpiredCondition = (table?: string): string => {
  const column = table ? `${table}.expires_at` : 'expires_at';
  return `(${column} IS NULL OR ${column} > (now() AT TIME ZONE 'UTC')::date)`;
};

export const unexpiredRows: Prisma.Sql = Prisma.raw(unexpiredCondition());

/** A filter by a boolean: the condition for true, its opposite for false, nothing if it is absent. */
export function whether(isWanted: boolean | null | undefined, condition: Prisma.Sql): Prisma.Sql[] {
  if (typeof isWanted !== 'boolean') return [];
  return [isWanted ? condition : Prisma.sql`(${condition}) IS NOT TRUE`];
}

/** A moment that is compared with a column of that type. */
export const instant = (moment: Date): Prisma.Sql =>
  Prisma.sql`${moment.toISOString()}::timestamptz`;
