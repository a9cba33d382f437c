import { type Database, Prisma } from '../../prisma/client.ts';
import { type PageArgs, rowsOf } from './page.ts';

/** A listing whose filter is SQL; table, columns and direction are constants, never user input. */
export interface Listing {
  readonly table:
    | 'projects'
    | 'namespaces'
    | 'users'
    | 'issues'
    | 'merge_requests'
    | 'notes'
    | 'award_emojis'
    | 'events'
    | 'pipelines'
    | 'jobs'
    | 'runners';
  readonly where: Prisma.Sql;
  /** Joined to the table for `where`; its column names must differ from the table's. */
  readonly beside?: Prisma.Sql;
  /**
   * The filter searches text or evaluates each row: reading all rows once is cheaper than counting
   * them and then reading a page.
   */
  readonly isSearch?: boolean;
  readonly column: string;
  /** Order by the column's text without regard to case. */
  readonly ignoresCase?: boolean;
  readonly direction: 'asc' | 'desc';
  readonly page: PageArgs;
}

/** Reads a listing; requests made together run as one statement. */
export interface ListingReader {
  /** The rows of the page with these columns; instants are text, because JSON has no dates. */
  readonly rows: <Row>(columns: Prisma.Sql) => Promise<Row[]>;
  /** The total number of rows. */
  readonly total: () => Promise<number>;
}

/** What one statement reads. */
interface ListingSelection {
  columns: Prisma.Sql | null;
  total: boolean;
}

interface ListingResult {
  readonly rows: string | null;
  readonly total: number | null;
}

interface PendingRead {
  readonly selection: ListingSelection;
  readonly result: Promise<ListingResult>;
}

/**
 * Reads a page and the total. PostgreSQL returns the page as one JSON text, because decoding it
 * column by column costs more than everything else together (docs/adr/0013).
 */
export function readerOf(db: Database, listing: Listing): ListingReader {
  let open: PendingRead | null = null;
  // a document requests everything it needs of a page before it awaits any of it
  const pendingRead = (): PendingRead => {
    if (open) return open;
    const selection: ListingSelection = { columns: null, total: false };
    const result = Promise.resolve().then(() => {
      open = null;
      return readListing(db, listing, selection);
    });
    open = { selection, result };
    return open;
  };
  return {
    rows: async <Row>(columns: Prisma.Sql) => {
      if (open?.selection.columns && open.selection.columns !== columns) open = null;
      const { selection, result } = pendingRead();
      selection.columns = columns;
      return JSON.parse((await result).rows ?? '[]') as Row[];
    },
    total: async () => {
      const { selection, result } = pendingRead();
      selection.total = true;
      return (await result).total ?? 0;
    },
  };
}

async function readListing(
  db: Database,
  listing: Listing,
  { columns, total }: ListingSelection,
): Promise<ListingResult> {
  const { table, where, beside = Prisma.empty, column, isSearch } = listing;
  const matching = Prisma.sql`${Prisma.raw(table)} ${beside} WHERE ${where}`;
  const isOnce = isSearch === true && total && columns !== null;
  const once = Prisma.sql`WITH matching AS MATERIALIZED (
    SELECT ${Prisma.raw(column === 'id' ? 'id' : `id, ${column}`)} FROM ${matching})`;
  const from = isOnce ? Prisma.raw('matching') : matching;
  const [result] = await db.$queryRaw<[ListingResult]>`${isOnce ? once : Prisma.empty}
    SELECT ${total ? Prisma.sql`(SELECT count(*)::int FROM ${from})` : none} AS total,
      ${columns ? rowsAsJson(listing, from, columns) : none} AS rows`;
  return result;
}

const none = Prisma.raw('NULL');

/** Selects the ids first, from an index alone where one covers the filter. */
function rowsAsJson(listing: Listing, from: Prisma.Sql, columns: Prisma.Sql): Prisma.Sql {
  const { table, column, ignoresCase, direction, page } = listing;
  const { skip, take } = rowsOf(page);
  const key = ignoresCase ? `lower(${column})` : column;
  // the id breaks ties, so that no row is on two pages
  const order = Prisma.raw(
    column === 'id' ? `id ${direction}` : `${key} ${direction}, id ${direction}`,
  );
  return Prisma.sql`(SELECT coalesce(json_agg(page), '[]')::text FROM (
    SELECT ${columns} FROM ${Prisma.raw(table)} WHERE id = ANY(ARRAY(
      SELECT id FROM ${from} ORDER BY ${order} LIMIT ${take} OFFSET ${skip}))
    ORDER BY ${order}) page)`;
}

/** The ids of rows read with no other column. */
export const idsOf = (rows: readonly { readonly id: number }[]): number[] =>
  rows.map(({ id }) => id);

/** The ids on the page. */
export const idsOn = async (reader: ListingReader): Promise<number[]> =>
  idsOf(await reader.rows(onlyIds));

const onlyIds = Prisma.raw('id');

/** Sorts records by the order of their ids on the page; records deleted in between are left out. */
export async function inOrder<Row extends { readonly id: number }>(
  ids: readonly number[],
  load: (where: { id: { in: number[] } }) => Promise<Row[]>,
): Promise<Row[]> {
  const rows = await load({ id: { in: [...ids] } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
