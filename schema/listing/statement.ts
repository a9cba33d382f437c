import { Prisma } from '../../prisma/client.ts';
import { invalidCursor, parseCursor } from './cursor.ts';
import type { Listing } from './listing.ts';
import { rowsOf } from './page.ts';

/** What one statement reads. */
export interface ListingSelection {
  columns: Prisma.Sql | null;
  total: boolean;
  pageInfo: boolean;
}

export interface ListingResult {
  readonly rows: string | null;
  readonly total: number | null;
  /** The order key and id of each row of the page and of the row after it. */
  readonly keys: readonly (readonly [string | number, number])[] | null;
}

/** A listing with what is read of it. */
export interface Read {
  readonly listing: Listing;
  readonly selection: ListingSelection;
}

/** The selected parts of a listing as columns, for rows that match `condition` as well. */
export function selectionOf(
  listing: Listing,
  { columns, total, pageInfo }: ListingSelection,
  condition: Prisma.Sql,
): { readonly with: Prisma.Sql; readonly columns: Prisma.Sql } {
  const { table, where, beside = Prisma.empty, column, isSearch } = listing;
  const matching = Prisma.sql`${Prisma.raw(table)} ${beside} WHERE ${condition} ${where}`;
  const isOnce = isSearch === true && total && columns !== null;
  const once = Prisma.sql`WITH matching AS MATERIALIZED (
    SELECT ${Prisma.raw(column === 'id' ? 'id' : `id, ${column}`)} FROM ${matching})`;
  const from = isOnce ? Prisma.raw('matching WHERE true') : matching;
  return {
    with: isOnce ? once : Prisma.empty,
    columns: Prisma.sql`${total ? Prisma.sql`(SELECT count(*)::int FROM ${from})` : none} AS total,
      ${columns ? rowsAsJson(listing, from, columns) : none} AS rows,
      ${pageInfo ? keysAsJson(listing, from) : none} AS keys`,
  };
}

const none = Prisma.raw('NULL');

const orderOf = ({ column, ignoresCase, direction, order: columns }: Listing) => {
  if (columns) return { key: Prisma.raw('id'), order: Prisma.raw(columns) };
  const key = ignoresCase ? `lower(${column})` : column;
  // the id breaks ties, so that no row is on two pages
  const order = column === 'id' ? `id ${direction}` : `${key} ${direction}, id ${direction}`;
  return { key: Prisma.raw(key), order: Prisma.raw(order) };
};

/** The condition that rows follow the cursor of the page, and the rows to read from there. */
function positionOf(listing: Listing) {
  const { table, column, ignoresCase, direction, page } = listing;
  const { skip, take } = rowsOf(page);
  const cursor = page.after ? parseCursor(page.after) : null;
  if (!cursor || 'offset' in cursor) return { after: Prisma.empty, skip, take };
  if (listing.order) throw invalidCursor();
  const { key } = orderOf(listing);
  const than = Prisma.raw(direction === 'asc' ? '>' : '<');
  // PostgreSQL converts the key to the type of the column
  const value = ignoresCase
    ? Prisma.sql`${String(cursor.key)}`
    : Prisma.sql`(jsonb_populate_record(NULL::${Prisma.raw(table)}, ${JSON.stringify({
        [column.replace(/::\w+$/, '')]: cursor.key,
      })}::jsonb)).${Prisma.raw(column)}`;
  return {
    after: Prisma.sql`AND (${key}, id) ${than} (${value}, ${cursor.id})`,
    skip,
    take,
  };
}

/** The keys of the rows on the page and of one more, which tells whether a page follows. */
function keysAsJson(listing: Listing, from: Prisma.Sql): Prisma.Sql {
  const { key, order } = orderOf(listing);
  const { after, skip, take } = positionOf(listing);
  return Prisma.sql`(SELECT json_agg(json_build_array(key, id)) FROM (
    SELECT ${key} AS key, id FROM ${from} ${after} ORDER BY ${order}
    LIMIT ${take + 1} OFFSET ${skip}) keyed)`;
}

/** Selects the ids first, from an index alone where one covers the filter. */
function rowsAsJson(listing: Listing, from: Prisma.Sql, columns: Prisma.Sql): Prisma.Sql {
  const { order } = orderOf(listing);
  const { after, skip, take } = positionOf(listing);
  return Prisma.sql`(SELECT coalesce(json_agg(page), '[]')::text FROM (
    SELECT ${columns} FROM ${Prisma.raw(listing.table)} WHERE id = ANY(ARRAY(
      SELECT id FROM ${from} ${after} ORDER BY ${order} LIMIT ${take} OFFSET ${skip}))
    ORDER BY ${order}) page)`;
}
