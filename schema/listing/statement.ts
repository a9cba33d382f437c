import { Prisma } from '../../prisma/client.ts';
import { keyOf, type Listing } from './listing.ts';
import type { ValueColumns } from './remembered.ts';
import type { Rows } from './rows-after.ts';

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
  readonly keys: readonly (readonly [string | number | null, number])[] | null;
}

/** A listing with what is read of it. */
export interface Read {
  readonly listing: Listing;
  /** The rows of the listing that its page has. */
  readonly rows: Rows;
  readonly selection: ListingSelection;
}

/** The selected parts of a listing as columns, for rows that match `condition` as well. */
export function selectionOf(
  read: Read,
  condition: Prisma.Sql,
  { columnsOf, known }: ValueColumns<number | null> = counted,
): { readonly with: Prisma.Sql; readonly columns: Prisma.Sql } {
  const { listing, rows, selection } = read;
  const { columns, total, pageInfo } = selection;
  const { column, isSearch } = listing;
  const matching = matchingRows(listing, condition);
  // the rows of a page are found soon if many match
  const isSparse = !known?.value || (rows.skip + rows.take) * 10 > known.value;
  const isOnce = isSearch === true && total && columns !== null && isSparse;
  const once = Prisma.sql`WITH matching AS MATERIALIZED (
    SELECT ${Prisma.raw(column === 'id' ? 'id' : `id, ${column}`)} FROM ${matching})`;
  const from = isOnce ? Prisma.raw('matching WHERE true') : matching;
  return {
    with: isOnce ? once : Prisma.empty,
    columns: Prisma.sql`${total ? columnsOf(Prisma.sql`(SELECT count(*)::int FROM ${from})`) : noTotal},
      ${columns ? rowsAsJson(listing, rows, from, columns) : none} AS rows,
      ${pageInfo ? keysAsJson(listing, rows, from) : none} AS keys`,
  };
}

const none = Prisma.raw('NULL');
const noTotal = Prisma.raw('NULL AS total');

const counted: ValueColumns<number | null> = {
  columnsOf: (count) => Prisma.sql`${count} AS total`,
  known: null,
};

/** The rows of a listing that match `condition` as well, for FROM. */
export const matchingRows = (
  { table, where, beside = Prisma.empty }: Listing,
  condition: Prisma.Sql,
): Prisma.Sql => Prisma.sql`${Prisma.raw(table)} ${beside} WHERE ${condition} ${where}`;

const orderOf = (listing: Listing): Prisma.Sql => {
  const { column, direction, order } = listing;
  if (order) return Prisma.raw(order);
  // the id breaks ties, so that no row is on two pages
  return column === 'id'
    ? Prisma.raw(`id ${direction}`)
    : Prisma.sql`${keyOf(listing)} ${Prisma.raw(direction)}, id ${Prisma.raw(direction)}`;
};

/** The keys of the rows on the page and of one more, which tells whether a page follows. */
function keysAsJson(listing: Listing, { after, skip, take }: Rows, from: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT json_agg(json_build_array(key, id)) FROM (
    SELECT ${keyOf(listing)} AS key, id FROM ${from} ${after} ORDER BY ${orderOf(listing)}
    LIMIT ${take + 1} OFFSET ${skip}) keyed)`;
}

/** Selects the ids first, from an index alone where one covers the filter. */
function rowsAsJson(
  listing: Listing,
  { after, skip, take }: Rows,
  from: Prisma.Sql,
  columns: Prisma.Sql,
): Prisma.Sql {
  const order = orderOf(listing);
  return Prisma.sql`(SELECT coalesce(json_agg(page), '[]')::text FROM (
    SELECT ${columns} FROM ${Prisma.raw(listing.table)} WHERE id = ANY(ARRAY(
      SELECT id FROM ${from} ${after} ORDER BY ${order} LIMIT ${take} OFFSET ${skip}))
    ORDER BY ${order}) page)`;
}
