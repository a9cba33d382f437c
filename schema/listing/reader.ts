import { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { cursorText } from './cursor.ts';
import type { Listing } from './listing.ts';
import type { PageInfo } from './page.ts';
import { readersOf, readListing } from './read-together.ts';
import { rowsIn } from './rows-after.ts';
import type { ListingResult, ListingSelection } from './statement.ts';

type Caller = Pick<Context, 'db'>;

/** Reads a listing; requests made together run as one statement. */
export interface ListingReader {
  /** The rows of the page with these columns; instants are text, because JSON has no dates. */
  readonly rows: <Row>(columns: Prisma.Sql) => Promise<Row[]>;
  /** The total number of rows. */
  readonly total: () => Promise<number>;
  readonly pageInfo: () => Promise<PageInfo>;
}

interface PendingRead {
  readonly selection: ListingSelection;
  readonly result: Promise<ListingResult>;
}

/**
 * Reads a page, the total and the page info. PostgreSQL returns the page as one JSON text, because
 * decoding it column by column costs more than everything else together (docs/adr/0013).
 */
export function readerOf(ctx: Caller, listing: Listing): ListingReader {
  const rows = rowsIn(listing);
  let open: PendingRead | null = null;
  // a document requests everything it needs of a page before it awaits any of it
  const pendingRead = (): PendingRead => {
    if (open) return open;
    const selection: ListingSelection = { columns: null, total: false, pageInfo: false };
    const result = Promise.resolve().then(() => {
      open = null;
      const read = { listing, rows, selection };
      return listing.parent ? readersOf(ctx).load(read) : readListing(ctx.db, read);
    });
    open = { selection, result };
    return open;
  };
  return {
    rows: async <Row>(columns: Prisma.Sql) => {
      if (open?.selection.columns && !isSame(open.selection.columns, columns)) open = null;
      const { selection, result } = pendingRead();
      selection.columns = columns;
      return JSON.parse((await result).rows ?? '[]') as Row[];
    },
    total: async () => {
      const { selection, result } = pendingRead();
      selection.total = true;
      const { total } = await result;
      return typeof total === 'object' ? (total?.length ?? 0) : total;
    },
    pageInfo: async () => {
      const { selection, result } = pendingRead();
      selection.pageInfo = true;
      const keys = (await result).keys ?? [];
      const count = Math.min(rows.take, keys.length);
      const [key = null, id] = keys[count - 1] ?? [];
      const cursor =
        listing.order || id === undefined ? { offset: rows.skip + count } : { key, id };
      return {
        hasNextPage: keys.length > rows.take,
        endCursor: id === undefined ? null : cursorText(cursor),
      };
    },
  };
}

/** Whether two lists of columns are equal; those with the id of the current user are never identical. */
const isSame = (one: Prisma.Sql, other: Prisma.Sql): boolean =>
  one === other ||
  (one.sql === other.sql && one.values.every((value, place) => value === other.values[place]));

/** The ids of rows read with no other column. */
const idsOf = (rows: readonly { readonly id: number }[]): number[] => rows.map(({ id }) => id);

/** The ids on the page. */
export const idsOn = async (reader: ListingReader): Promise<number[]> =>
  idsOf(await reader.rows(idColumn));

/** The column of a row that is read alone to find or count it. */
export const idColumn = Prisma.raw('id');

/** Finds rows by their ids, in the order of these; ids without a row are left out. */
export function rowsById<Row extends { readonly id: number }>(
  rows: readonly Row[],
): (ids: readonly number[]) => Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return (ids) => ids.flatMap((id) => byId.get(id) ?? []);
}
