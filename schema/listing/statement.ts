import { Prisma } from '../../prisma/client.ts';
import { list } from '../kernel/sql.ts';
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
  readonly total: TotalOrIds | null;
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

/** The number of rows of a listing, or if these are few, the ids of all. */
export type TotalOrIds = number | readonly number[];

/** More rows than this are counted only: to look them up would take longer than to read a page. */
const mostIds = 100;

/** The selected parts of a listing as columns, for rows that match `condition` as well. */
export function selectionOf(
  read: Read,
  condition: Prisma.Sql,
  value: ValueColumns<TotalOrIds | null> = plain,
): { readonly with: Prisma.Sql; readonly columns: Prisma.Sql } {
  const { listing, rows, selection } = read;
  const { columns, total, pageInfo } = selection;
  const matching = matchingRows(listing, condition);
  const isOnce = listing.isSearch === true && total && columns !== null && !isDense(rows, value);
  const from = isOnce ? Prisma.raw('matching WHERE true') : matching;
  const orRemembered = (part: (rowsFrom: Prisma.Sql) => Prisma.Sql) => {
    const { value: ids, hasChanged } = value.remembered ?? {};
    if (!hasChanged || ids === null || typeof ids !== 'object') return part(from);
    const rowsWithIds = Prisma.sql`${Prisma.raw(listing.table)} WHERE id = ANY(${list(ids)})`;
    return Prisma.sql`CASE WHEN ${hasChanged} THEN ${part(from)} ELSE ${part(rowsWithIds)} END`;
  };
  return {
    with: isOnce ? onceOf(listing, matching) : Prisma.empty,
    columns: Prisma.sql`${total ? value.columnsOf(totalOf(value, from)) : noTotal},
      ${columns ? orRemembered((rowsFrom) => rowsAsJson(listing, rows, rowsFrom, columns)) : none} AS rows,
      ${pageInfo ? orRemembered((rowsFrom) => keysAsJson(listing, rows, rowsFrom)) : none} AS keys`,
  };
}

const none = Prisma.raw('NULL');
const noTotal = Prisma.raw('NULL AS total');

const plain: ValueColumns<null> = {
  columnsOf: (count) => Prisma.sql`${count} AS total`,
  remembered: null,
  isRemembered: false,
};

/** Fewer rows are read at once about as quickly as those of a page. */
const fewestDense = 10_000;

/** Whether so many rows match that those of the page are found soon, without reading all. */
const isDense = ({ skip, take }: Rows, { remembered }: ValueColumns<TotalOrIds | null>): boolean =>
  typeof remembered?.value === 'number' &&
  remembered.value >= Math.max(fewestDense, (skip + take) * 10);

/** Reads all rows of a search once, for the total and the page. */
const onceOf = ({ column }: Listing, matching: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`WITH matching AS MATERIALIZED (
    SELECT ${Prisma.raw(column === 'id' ? 'id' : `id, ${column}`)} FROM ${matching})`;

function totalOf(
  { remembered, isRemembered }: ValueColumns<TotalOrIds | null>,
  from: Prisma.Sql,
): Prisma.Sql {
  const isMany = typeof remembered?.value === 'number' && remembered.value > mostIds;
  if (!isRemembered || isMany) return Prisma.sql`(SELECT count(*)::int FROM ${from})`;
  return Prisma.sql`(SELECT CASE WHEN count(*) > ${mostIds} THEN to_json(count(*))
    ELSE to_json(coalesce(array_agg(id), '{}')) END FROM ${from})`;
}

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
