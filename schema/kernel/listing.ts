import { type Database, Prisma } from '../../prisma/client.ts';
import { type PageArgs, rowsOf } from './page.ts';

/** A listing whose filter is SQL; the table, its column and the direction are words of ours. */
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
  /** What is joined to the table for `where`; its columns are called otherwise than the table's. */
  readonly beside?: Prisma.Sql;
  /** It looks for a text, or judges each row: finding all once is cheaper than counting them and finding a page. */
  readonly isSearch?: boolean;
  readonly column: string;
  /** Order by the column's text without regard to case. */
  readonly ignoresCase?: boolean;
  readonly direction: 'asc' | 'desc';
  readonly page: PageArgs;
}

/** What is read of a listing; what is asked for at once comes by one statement. */
export interface ListingReader {
  /** The rows on the page, of which `columns` are told; instants come as text, as JSON has no dates. */
  readonly rows: <Row>(columns: Prisma.Sql) => Promise<Row[]>;
  /** How many there are in all. */
  readonly total: () => Promise<number>;
}

/** What one statement is asked for. */
interface Wanted {
  columns: Prisma.Sql | null;
  total: boolean;
}

interface Found {
  readonly rows: string | null;
  readonly total: number | null;
}

interface Question {
  readonly wanted: Wanted;
  readonly found: Promise<Found>;
}

/**
 * Reads a page and the number of all. Taken apart column by column a page costs more than everything
 * else together, so PostgreSQL hands it over as one JSON text (docs/adr/0013).
 */
export function readerOf(db: Database, listing: Listing): ListingReader {
  let open: Question | null = null;
  // all that a document asks of a page is asked for before anything of it is waited for
  const question = (): Question => {
    if (open) return open;
    const wanted: Wanted = { columns: null, total: false };
    const found = Promise.resolve().then(() => {
      open = null;
      return ask(db, listing, wanted);
    });
    open = { wanted, found };
    return open;
  };
  return {
    rows: async <Row>(columns: Prisma.Sql) => {
      if (open?.wanted.columns && open.wanted.columns !== columns) open = null;
      const { wanted, found } = question();
      wanted.columns = columns;
      return JSON.parse((await found).rows ?? '[]') as Row[];
    },
    total: async () => {
      const { wanted, found } = question();
      wanted.total = true;
      return (await found).total ?? 0;
    },
  };
}

async function ask(db: Database, listing: Listing, { columns, total }: Wanted): Promise<Found> {
  const { table, where, beside = Prisma.empty, column, isSearch } = listing;
  const matching = Prisma.sql`${Prisma.raw(table)} ${beside} WHERE ${where}`;
  const isOnce = isSearch === true && total && columns !== null;
  const once = Prisma.sql`WITH matching AS MATERIALIZED (
    SELECT ${Prisma.raw(column === 'id' ? 'id' : `id, ${column}`)} FROM ${matching})`;
  const from = isOnce ? Prisma.raw('matching') : matching;
  const [found] = await db.$queryRaw<[Found]>`${isOnce ? once : Prisma.empty}
    SELECT ${total ? Prisma.sql`(SELECT count(*)::int FROM ${from})` : none} AS total,
      ${columns ? rowsAsJson(listing, from, columns) : none} AS rows`;
  return found;
}

const none = Prisma.raw('NULL');

/** The ids first, from an index alone wherever one carries what the filter asks. */
function rowsAsJson(listing: Listing, from: Prisma.Sql, columns: Prisma.Sql): Prisma.Sql {
  const { table, column, ignoresCase, direction, page } = listing;
  const { skip, take } = rowsOf(page);
  const key = ignoresCase ? `lower(${column})` : column;
  // the id settles ties, so that no row is on two pages
  const order = Prisma.raw(
    column === 'id' ? `id ${direction}` : `${key} ${direction}, id ${direction}`,
  );
  return Prisma.sql`(SELECT coalesce(json_agg(page), '[]')::text FROM (
    SELECT ${columns} FROM ${Prisma.raw(table)} WHERE id = ANY(ARRAY(
      SELECT id FROM ${from} ORDER BY ${order} LIMIT ${take} OFFSET ${skip}))
    ORDER BY ${order}) page)`;
}

/** The ids of rows that were asked for nothing else. */
export const idsOf = (found: readonly { readonly id: number }[]): number[] =>
  found.map(({ id }) => id);

/** The ids on the page. */
export const idsOn = async (reader: ListingReader): Promise<number[]> =>
  idsOf(await reader.rows(onlyIds));

const onlyIds = Prisma.raw('id');

/** Records in the order of their ids on the page; who was removed in between is left out. */
export async function inOrder<Row extends { readonly id: number }>(
  ids: readonly number[],
  load: (where: { id: { in: number[] } }) => Promise<Row[]>,
): Promise<Row[]> {
  const found = await load({ id: { in: [...ids] } });
  const byId = new Map(found.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
