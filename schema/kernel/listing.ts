import DataLoader from 'dataloader';
import { type Database, Prisma } from '../../prisma/client.ts';
import type { Context } from './context.ts';
import { cursorText, parseCursor } from './cursor.ts';
import { type PageArgs, type PageInfo, rowsOf } from './page.ts';

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
  /** The record that the rows belong to, which is then not in `where`. */
  readonly parent?: Parent;
}

/**
 * The record that an edge starts from. Listings of several parents that differ in nothing else are
 * read together.
 */
export interface Parent {
  readonly id: number;
  /** The condition that a row belongs to the parent with this id. */
  readonly condition: (id: Prisma.Sql) => Prisma.Sql;
}

/** The parent whose id the rows have in `column`. */
export const belongsTo = (column: string, id: number): Parent => ({
  id,
  condition: (parentId) => Prisma.sql`${Prisma.raw(column)} = ${parentId}`,
});

/** Reads a listing; requests made together run as one statement. */
export interface ListingReader {
  /** The rows of the page with these columns; instants are text, because JSON has no dates. */
  readonly rows: <Row>(columns: Prisma.Sql) => Promise<Row[]>;
  /** The total number of rows. */
  readonly total: () => Promise<number>;
  readonly pageInfo: () => Promise<PageInfo>;
}

/** What one statement reads. */
interface ListingSelection {
  columns: Prisma.Sql | null;
  total: boolean;
  pageInfo: boolean;
}

interface ListingResult {
  readonly rows: string | null;
  readonly total: number | null;
  /** The order key and id of each row of the page and of the row after it. */
  readonly keys: readonly (readonly [string | number, number])[] | null;
}

/** A listing with what is read of it. */
interface Read {
  readonly listing: Listing;
  readonly selection: ListingSelection;
}

interface PendingRead {
  readonly selection: ListingSelection;
  readonly result: Promise<ListingResult>;
}

type Caller = Pick<Context, 'db'>;

/**
 * Reads a page, the total and the page info. PostgreSQL returns the page as one JSON text, because
 * decoding it column by column costs more than everything else together (docs/adr/0013).
 */
export function readerOf(ctx: Caller, listing: Listing): ListingReader {
  let open: PendingRead | null = null;
  // a document requests everything it needs of a page before it awaits any of it
  const pendingRead = (): PendingRead => {
    if (open) return open;
    const selection: ListingSelection = { columns: null, total: false, pageInfo: false };
    const result = Promise.resolve().then(() => {
      open = null;
      return listing.parent
        ? readersOf(ctx).load({ listing, selection })
        : readListing(ctx.db, listing, selection);
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
    pageInfo: async () => {
      const { selection, result } = pendingRead();
      selection.pageInfo = true;
      const keys = (await result).keys ?? [];
      const { take } = rowsOf(listing.page);
      const last = keys[Math.min(take, keys.length) - 1];
      return {
        hasNextPage: keys.length > take,
        endCursor: last ? cursorText({ key: last[0], id: last[1] }) : null,
      };
    },
  };
}

async function readListing(
  db: Database,
  listing: Listing,
  selection: ListingSelection,
): Promise<ListingResult> {
  const { with: once, columns } = selectionOf(listing, selection, Prisma.empty);
  const [result] = await db.$queryRaw<[ListingResult]>`${once} SELECT ${columns}`;
  return result;
}

/** The listings of parents that one operation reads together. */
const readers = new WeakMap<Caller, DataLoader<Read, ListingResult>>();

function readersOf(ctx: Caller): DataLoader<Read, ListingResult> {
  const existing = readers.get(ctx);
  if (existing) return existing;
  const loader = new DataLoader<Read, ListingResult>((reads) => readTogether(ctx.db, reads), {
    cache: false,
  });
  readers.set(ctx, loader);
  return loader;
}

/** The listing of several parents that is the same for each. */
interface Group extends Read {
  readonly parent: Parent;
  /** The positions of its parents among all reads. */
  readonly places: number[];
  readonly ids: number[];
}

interface PlacedResult extends ListingResult {
  readonly place: number;
}

/** Reads the listings of many parents in one statement for each table. */
async function readTogether(db: Database, reads: readonly Read[]): Promise<ListingResult[]> {
  const tables = new Map<string, Map<string, Group>>();
  for (const [place, { listing, selection }] of reads.entries()) {
    const { parent, table } = listing;
    if (!parent) throw new Error('Only listings of a parent are read together.');
    const key = keyOf(listing, selection, parent);
    const groups = tables.get(table) ?? new Map<string, Group>();
    tables.set(table, groups);
    const group = groups.get(key) ?? { listing, selection, parent, places: [], ids: [] };
    group.places.push(place);
    group.ids.push(parent.id);
    groups.set(key, group);
  }
  const results: ListingResult[] = [];
  await Promise.all(
    [...tables.values()].map(async (groups) => {
      const statement = Prisma.join([...groups.values()].map(statementOf), ' UNION ALL ');
      for (const { place, ...result } of await db.$queryRaw<PlacedResult[]>`${statement}`) {
        results[place] = result;
      }
    }),
  );
  return results;
}

/** Equal for listings that differ in nothing but the parent's id. */
function keyOf(listing: Listing, selection: ListingSelection, parent: Parent): string {
  const { where, beside, column, ignoresCase, isSearch, direction, page } = listing;
  const { columns, total, pageInfo } = selection;
  return JSON.stringify([
    [parent.condition(parentId).sql, column, ignoresCase, isSearch, direction, page],
    [where.sql, where.values, beside?.sql, beside?.values],
    [columns?.sql, columns?.values, total, pageInfo],
  ]);
}

const parentId = Prisma.raw('edge_parent.id');

/** One parent's id is a value, for which PostgreSQL plans as for a listing without a parent. */
function statementOf({ listing, selection, parent, places, ids }: Group): Prisma.Sql {
  const [id, place] = [ids[0], places[0]];
  if (ids.length === 1) {
    const { with: once, columns } = selectionOf(
      listing,
      selection,
      Prisma.sql`${parent.condition(Prisma.sql`${id}`)} AND`,
    );
    return Prisma.sql`(${once} SELECT ${place}::int AS place, ${columns})`;
  }
  const condition = Prisma.sql`${parent.condition(parentId)} AND`;
  const { columns } = selectionOf({ ...listing, isSearch: false }, selection, condition);
  return Prisma.sql`(SELECT edge_parent.place, ${columns}
    FROM unnest(${ids}::int[], ${places}::int[]) AS edge_parent(id, place))`;
}

/** The selected parts of a listing as columns, for rows that match `condition` as well. */
function selectionOf(
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

const orderOf = ({ column, ignoresCase, direction }: Listing) => {
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
