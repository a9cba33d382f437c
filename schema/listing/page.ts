import type { GraphQLResolveInfo } from 'graphql';
import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { largestPage } from '../kernel/page-bounds.ts';
import { ifVisible } from '../kernel/results.ts';
import { cursorText, invalidCursor, parseCursor, type RowKey } from './cursor.ts';

/** A listing before it is read: the rows of a page and the total, each read only if selected. */
export interface Page<Row> {
  /**
   * `query` is Prisma's `select` or `include` for the fields that `info` selects of a record. Columns
   * that these do not need are left out, except for a whole record, which the caller changes or shows.
   */
  readonly nodes: (
    query: object,
    info: GraphQLResolveInfo,
    options?: { readonly isWhole: boolean },
  ) => Promise<readonly Row[]>;
  readonly total: () => Promise<number>;
  readonly pageInfo: () => Promise<PageInfo>;
}

/** Where a page ends. */
export interface PageInfo {
  readonly hasNextPage: boolean;
  /** The `after` of the next page; null for a page without rows. */
  readonly endCursor: string | null;
}

/** The page of a listing, counted from 1, or the `first` rows after a cursor. */
export interface PageArgs {
  readonly page?: number | null | undefined;
  readonly perPage?: number | null | undefined;
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

const lastRow = 2 ** 31 - 1;

/** The arguments of every listing. */
export const pageArgs = builder.args((t) => ({
  page: t.int({ defaultValue: 1, description: 'The page, from 1.' }),
  perPage: t.int({ defaultValue: 20, description: `Rows of a page: 1 to ${largestPage}.` }),
  first: t.int({ description: 'The same as `perPage`, which it replaces.' }),
  after: t.string({
    description:
      'The `endCursor` of the previous page; replaces `page`. The order must be the same.',
  }),
}));

const sizeOf = ({ perPage, first }: PageArgs): number =>
  Math.min(Math.max(first ?? perPage ?? 20, 1), largestPage);

/** Which rows of a listing a page has. */
interface Position {
  /** The row before the page, if the cursor names one. */
  readonly after: RowKey | null;
  /** The rows to skip: from that row on, else from the start. */
  readonly skip: number;
  readonly take: number;
}

/** Reads the position of a page; sizes are clamped to 1 to 100 and pages to at least 1. */
export function positionOf({ page, after, ...size }: PageArgs): Position {
  const take = sizeOf(size);
  if (!after)
    return { after: null, skip: Math.min((Math.max(page ?? 1, 1) - 1) * take, lastRow), take };
  const cursor = parseCursor(after);
  return 'offset' in cursor
    ? { after: null, skip: cursor.offset, take }
    : { after: cursor, skip: 0, take };
}

/** Whether so many rows are skipped that their number, not that of the page, decides how to read them. */
export const isDeep = (page: PageArgs): boolean => positionOf(page).skip >= 5_000;

/** The rows of a page of a listing whose cursors are offsets; throws for another cursor. */
export function rowsOf(page: PageArgs): { readonly skip: number; readonly take: number } {
  const { after, skip, take } = positionOf(page);
  if (after) throw invalidCursor();
  return { skip, take };
}

/** The cost of a listing is its rows. For the `complexity` of a field with `pageArgs`. */
export const listingCost = (page: PageArgs) => ({
  field: statementCost,
  multiplier: sizeOf(page),
});

/** The cost of a page's rows is part of the listing's. */
export const nodesCost = { field: 0, multiplier: 1 };

/** A listing that is paged by offsets: its page info is computed from the total. */
export const offsetPage = <Row>(
  { nodes, total }: Omit<Page<Row>, 'pageInfo'>,
  page: PageArgs,
): Page<Row> => ({
  nodes,
  total,
  pageInfo: async () => {
    const { skip, take } = rowsOf(page);
    const rows = await total();
    const end = Math.min(skip + take, rows);
    return offsetPageInfo(skip, end - skip, end < rows);
  },
});

/** The page info of `count` rows from the offset `skip` on, for listings that know no total. */
export const offsetPageInfo = (skip: number, count: number, hasNextPage: boolean): PageInfo => ({
  hasNextPage,
  endCursor: count > 0 ? cursorText({ offset: skip + count }) : null,
});

/** The page of a listing of `total` rows that was read with its `nodes`. */
export const loadedPage = <Row>(nodes: readonly Row[], total: number, page: PageArgs): Page<Row> =>
  offsetPage({ nodes: async () => nodes, total: async () => total }, page);

/**
 * The first row of a listing, for a field that leads to one record; null if there is none, or if the
 * current user may not see the listing: `page` then gives null, or throws as for `ifVisible`.
 */
export async function firstVisible<Row>(
  query: object,
  info: GraphQLResolveInfo,
  page: () => Promise<Page<Row> | null>,
): Promise<Row | null> {
  // Pothos reports a query that is never read, also if there is nothing to select
  const selection = { ...query };
  const visible = await ifVisible(page);
  if (!visible) return null;
  const [row] = await visible.nodes(selection, info);
  return row ?? null;
}
