import { type Database, Prisma } from '../../prisma/client.ts';
import { type PageArgs, rowsOf } from './page.ts';

/** A listing whose filter is SQL; the table, its column and the direction are words of ours. */
export interface Listing {
  readonly table: 'projects' | 'namespaces';
  readonly where: Prisma.Sql;
  readonly column: string;
  readonly direction: 'asc' | 'desc';
  readonly page: PageArgs;
}

/** The ids on a page, from an index alone wherever one carries what the filter asks. */
export async function pageIds(db: Database, listing: Listing): Promise<number[]> {
  const { table, where, column, direction, page } = listing;
  const { skip, take } = rowsOf(page);
  // the id settles ties, so that no row is on two pages
  const order = column === 'id' ? `id ${direction}` : `${column} ${direction}, id ${direction}`;
  const found = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM ${Prisma.raw(table)} WHERE ${where}
    ORDER BY ${Prisma.raw(order)} LIMIT ${take} OFFSET ${skip}`;
  return idsOf(found);
}

/** How many there are in all. */
export async function totalOf(db: Database, { table, where }: Listing): Promise<number> {
  const [row] = await db.$queryRaw<[{ total: number }]>`
    SELECT count(*)::int AS total FROM ${Prisma.raw(table)} WHERE ${where}`;
  return row.total;
}

/** The ids of rows that were asked for nothing else. */
export const idsOf = (found: readonly { readonly id: number }[]): number[] =>
  found.map(({ id }) => id);

/** Records in the order of their ids on the page; who was removed in between is left out. */
export async function inOrder<Row extends { readonly id: number }>(
  ids: readonly number[],
  load: (where: { id: { in: number[] } }) => Promise<Row[]>,
): Promise<Row[]> {
  const found = await load({ id: { in: [...ids] } });
  const byId = new Map(found.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
