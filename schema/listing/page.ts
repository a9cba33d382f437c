import type { GraphQLResolveInfo } from 'graphql';
import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { largestPage } from '../kernel/page-bounds.ts';
import { selectedFields } from '../kernel/selected-fields.ts';
import { cursorText, parseCursor } from './cursor.ts';

/** A listing before it is read: the rows of a page and the total, each read only if selected. */
export interface Page<Row> {
  /**
   * `query` is Prisma's `select` or `include` for the selected fields of a row; `selected` returns
   * the names of these fields, or of those selected below the field `below`.
   */
  readonly nodes: (
    query: object,
    selected: (below?: string) => ReadonlySet<string>,
  ) => Promise<Row[]>;
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

/**
 * `{ skip, take }` of a page; sizes are clamped to 1 to 100 and pages to at least 1. A cursor that
 * holds a key has nothing to skip (listing.ts).
 */
export function rowsOf({ page, after, ...size }: PageArgs): {
  readonly skip: number;
  readonly take: number;
} {
  const take = sizeOf(size);
  if (after) {
    const cursor = parseCursor(after);
    return { skip: 'offset' in cursor ? cursor.offset : 0, take };
  }
  return { skip: Math.min((Math.max(page ?? 1, 1) - 1) * take, lastRow), take };
}

/** The cost of a listing is its rows. For the `complexity` of a field with `pageArgs`. */
export const listingCost = (page: PageArgs) => ({
  field: statementCost,
  multiplier: sizeOf(page),
});

/** The cost of a page's rows is part of the listing's. */
export const nodesCost = { field: 0, multiplier: 1 };

/** A listing before it is read, whose rows are no records of Prisma. */
export interface LazyPage<Row> extends Omit<Page<Row>, 'nodes'> {
  readonly nodes: () => Promise<readonly Row[]>;
}

/** A listing that is paged by offsets: its page info is computed from the total. */
export const offsetPage = <Row>(
  { nodes, total }: Omit<Page<Row>, 'pageInfo'>,
  page: PageArgs,
): Page<Row> => ({ nodes, total, pageInfo: () => offsetInfo(total, page) });

/** As `offsetPage`, for rows that are no records of Prisma. */
export const lazyPage = <Row>(
  { nodes, total }: Omit<LazyPage<Row>, 'pageInfo'>,
  page: PageArgs,
): LazyPage<Row> => ({ nodes, total, pageInfo: () => offsetInfo(total, page) });

async function offsetInfo(total: () => Promise<number>, page: PageArgs): Promise<PageInfo> {
  const { skip, take } = rowsOf(page);
  const rows = await total();
  return pageInfoOf(skip, Math.min(skip + take, rows), rows);
}

const pageInfoOf = (skip: number, end: number, total: number): PageInfo =>
  offsetPageInfo(skip, end - skip, end < total);

/** The page info of `count` rows from the offset `skip` on, for listings that know no total. */
export const offsetPageInfo = (skip: number, count: number, hasNextPage: boolean): PageInfo => ({
  hasNextPage,
  endCursor: count > 0 ? cursorText({ offset: skip + count }) : null,
});

/** A listing whose page is read together with the total. */
export interface LoadedPage<Row> {
  readonly nodes: readonly Row[];
  readonly total: number;
  readonly pageInfo: PageInfo;
}

/** The page of a listing of `total` rows that was read with its `nodes`. */
export function loadedPage<Row>(
  nodes: readonly Row[],
  total: number,
  page: PageArgs,
): LoadedPage<Row> {
  const { skip } = rowsOf(page);
  return { nodes, total, pageInfo: pageInfoOf(skip, skip + nodes.length, total) };
}

/** A page whose parts are loaded, for a type whose pages are usually read when they are selected. */
export const asLazyPage = <Row>({ nodes, total, pageInfo }: LoadedPage<Row>): LazyPage<Row> => ({
  nodes: async () => nodes,
  total: async () => total,
  pageInfo: async () => pageInfo,
});

/** The first row of a listing, for a field that leads to one record; null if there is none. */
export async function firstOf<Row>(
  { nodes }: Page<Row>,
  query: object,
  info: GraphQLResolveInfo,
): Promise<Row | null> {
  const [row] = await nodes(query, (below) => selectedFields(info, below));
  return row ?? null;
}
