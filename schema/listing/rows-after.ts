import { Prisma } from '../../prisma/client.ts';
import { type Column, columnsByTable } from '../../prisma/data-model.ts';
import { invalidCursor, type RowKey } from './cursor.ts';
import { keyOf, type Listing } from './listing.ts';
import { positionOf } from './page.ts';

/** The rows of a listing that its page has. */
export interface Rows {
  /** The condition, with AND, that rows follow the cursor; empty without a cursor of a row. */
  readonly after: Prisma.Sql;
  readonly skip: number;
  readonly take: number;
}

/** Reads the page of a listing; throws for a cursor that the listing cannot have given. */
export function rowsIn(listing: Listing): Rows {
  const { page, order } = listing;
  const { after, skip, take } = positionOf(page);
  const isOffset = Boolean(page.after) && after === null;
  if (page.after && isOffset !== (order !== undefined)) throw invalidCursor();
  return { after: after ? Prisma.sql`AND ${following(listing, after)}` : Prisma.empty, skip, take };
}

/** The condition that a row follows another in the order of the listing. */
function following(listing: Listing, { key, id }: RowKey): Prisma.Sql {
  const { direction } = listing;
  const column = columnOf(listing);
  const columnKey = keyOf(listing);
  // null is after all values, as in PostgreSQL's order
  if (key === null) {
    if (column.isRequired) throw invalidCursor();
    return direction === 'asc'
      ? Prisma.sql`${columnKey} IS NULL AND id > ${id}`
      : Prisma.sql`(${columnKey} IS NOT NULL OR id < ${id})`;
  }
  const value = keyAs(column, key);
  if (direction === 'desc') return Prisma.sql`(${columnKey}, id) < (${value}, ${id})`;
  const isAfter = Prisma.sql`(${columnKey}, id) > (${value}, ${id})`;
  return column.isRequired ? isAfter : Prisma.sql`(${isAfter} OR ${columnKey} IS NULL)`;
}

function columnOf({ table, column: name }: Listing): Column {
  const column = columnsByTable.get(table)?.get(name.replace(/::\w+$/, ''));
  if (!column) throw new Error(`${table} has no column ${name}.`);
  return column;
}

/** The key as a value of the column's type; throws if the column cannot hold it. */
function keyAs({ type }: Column, key: string | number): Prisma.Sql {
  if (type === 'Int') {
    if (Object.is(key, Number(key) | 0)) return Prisma.sql`${key}::int`;
  } else if (typeof key !== 'string') {
    throw invalidCursor();
  } else if (type === 'DateTime') {
    const time = timeOf(key);
    if (time) return time;
  } else if (key.isWellFormed() && !key.includes('\0')) {
    return Prisma.sql`${key}::text`;
  }
  throw invalidCursor();
}

const day = /^\d{4}-\d\d-\d\d$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?[+-]\d\d:\d\d$/;

/** A day or an instant as PostgreSQL's JSON has it, to the millisecond; null for other texts. */
function timeOf(text: string): Prisma.Sql | null {
  const isDay = day.test(text);
  const time = isDay || instant.test(text) ? new Date(text) : null;
  if (!time || Number.isNaN(time.getTime())) return null;
  const written = time.toISOString();
  // PostgreSQL has no year 0
  if (!/^(?!0000)\d{4}-/.test(written)) return null;
  return isDay ? Prisma.sql`${written.slice(0, 10)}::date` : Prisma.sql`${written}::timestamptz`;
}
