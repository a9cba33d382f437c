import type { ObjectRef } from '@pothos/core';
import type { PrismaModelTypes, PrismaObjectRef } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import type { Prisma } from '../../prisma/client.ts';
import { builder } from './builder.ts';
import { statementCost } from './cost.ts';
import { largestPage } from './page-bounds.ts';
import { selectedFields } from './selected-fields.ts';

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
}

/** The page of a listing, counted from 1. */
export interface PageArgs {
  readonly page?: number | null | undefined;
  readonly perPage?: number | null | undefined;
}

const lastRow = 2 ** 31 - 1;

/** The arguments of every listing. */
export const pageArgs = builder.args((t) => ({
  page: t.int({ defaultValue: 1, description: 'The page, from 1.' }),
  perPage: t.int({ defaultValue: 20, description: `Rows of a page: 1 to ${largestPage}.` }),
}));

/** `{ skip, take }` of a page; sizes are clamped to 1 to 100 and pages to at least 1. */
export function rowsOf({ page, perPage }: PageArgs): {
  readonly skip: number;
  readonly take: number;
} {
  const take = Math.min(Math.max(perPage ?? 20, 1), largestPage);
  return { skip: Math.min((Math.max(page ?? 1, 1) - 1) * take, lastRow), take };
}

/** The cost of a listing is its rows. For the `complexity` of a field with `pageArgs`. */
export const listingCost = ({ perPage }: PageArgs) => ({
  field: statementCost,
  multiplier: Math.min(Math.max(perPage ?? 20, 1), largestPage),
});

/** The cost of a page's rows is part of the listing's. */
export const nodesCost = { field: 0, multiplier: 1 };

type Types = typeof builder.$inferSchemaTypes;

/** The type `<name>Page` of a listing of `row`: `nodes` and `total`. */
export function pageType<Model extends PrismaModelTypes, Row extends object>(
  name: string,
  row: PrismaObjectRef<Types, Model, Row>,
) {
  return builder.objectRef<Page<Row>>(`${name}Page`).implement({
    fields: (t) => ({
      nodes: t.prismaField({
        // the plugin identifies its own references by model, which the type parameter hides
        type: [row] as never,
        complexity: nodesCost,
        resolve: (
          query: object,
          page: unknown,
          _args: object,
          _ctx: object,
          info: GraphQLResolveInfo,
        ) => (page as Page<Row>).nodes(query, (below) => selectedFields(info, below)) as never,
      } as never) as never,
      total: t.int({ complexity: statementCost, resolve: (page) => page.total() }),
    }),
  });
}

/** A listing whose page is read together with the total. */
export interface LoadedPage<Row> {
  readonly nodes: readonly Row[];
  readonly total: number;
}

/** The type `<name>Page` of such a listing. */
export const loadedPageType = <Row>(name: string, row: ObjectRef<Types, Row>) =>
  builder.objectRef<LoadedPage<Row>>(`${name}Page`).implement({
    fields: (t) => ({
      nodes: t.field({
        type: [row],
        complexity: nodesCost,
        resolve: ({ nodes }) => [...nodes] as never,
      }),
      total: t.exposeInt('total'),
    }),
  });

/** A Prisma model, e.g. `db.key`. */
interface Model {
  findMany(args: never): Promise<unknown[]>;
  count(args: never): Promise<number>;
}

/** A page of the records that Prisma's `where` selects, in the order of its `orderBy`. */
export const recordPage = <Records extends Model>(
  records: Records,
  listing: Pick<Prisma.Args<Records, 'findMany'>, 'where' | 'orderBy' | 'relationLoadStrategy'>,
  page: PageArgs,
): Page<Prisma.Result<Records, object, 'findMany'>[number]> => ({
  nodes: (query) =>
    records.findMany({ ...query, ...rowsOf(page), ...listing } as never) as Promise<
      Prisma.Result<Records, object, 'findMany'>
    >,
  total: () => records.count({ where: listing.where } as never),
});
