import type { ObjectRef } from '@pothos/core';
import type { PrismaModelTypes, PrismaObjectRef } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { selectedFields } from '../kernel/selected-fields.ts';
import { type LazyPage, type LoadedPage, nodesCost, type Page, type PageInfo } from './page.ts';

type Types = typeof builder.$inferSchemaTypes;

const PageInfoType = builder.objectRef<PageInfo>('PageInfo').implement({
  description: 'Where a page of a listing ends.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', {
      description: 'Whether rows follow the page.',
    }),
    endCursor: t.exposeString('endCursor', {
      nullable: true,
      description: 'The argument `after` of the next page; null for a page without rows.',
    }),
  }),
});

const descriptions = {
  nodes: 'The rows of the page.',
  total: 'The number of rows of all pages. It is counted only if it is selected.',
  pageInfo: 'Whether a page follows, and the cursor that it starts after.',
};

const descriptionOf = (row: string) => `A page of a listing of \`${row}\`.`;

/** What every page has, whatever its rows are. */
const PageInterface = builder
  .interfaceRef<{ total: unknown; pageInfo: unknown }>('Page')
  .implement({
    description: 'A page of a listing: `nodes` of the type that the listing has, and these fields.',
    fields: (t) => ({
      total: t.int({ description: descriptions.total }),
      pageInfo: t.field({ type: PageInfoType, description: descriptions.pageInfo }),
    }),
  });

/** The type `<name>Page` of a listing of `row`. */
export function pageType<Model extends PrismaModelTypes, Row extends object>(
  name: string,
  row: PrismaObjectRef<Types, Model, Row>,
) {
  return builder.objectRef<Page<Row>>(`${name}Page`).implement({
    description: descriptionOf(row.name),
    interfaces: [PageInterface as never],
    fields: (t) => ({
      nodes: t.prismaField({
        description: descriptions.nodes,
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
      total: t.int({
        description: descriptions.total,
        complexity: statementCost,
        resolve: (page) => page.total(),
      }),
      pageInfo: t.field({
        type: PageInfoType,
        description: descriptions.pageInfo,
        complexity: statementCost,
        resolve: (page) => page.pageInfo(),
      }),
    }),
  });
}

/** The type `<name>Page` of a listing whose rows are no records of Prisma. */
export const lazyPageType = <Row>(name: string, row: ObjectRef<Types, Row>) =>
  builder.objectRef<LazyPage<Row>>(`${name}Page`).implement({
    description: descriptionOf(row.name),
    interfaces: [PageInterface as never],
    fields: (t) => ({
      nodes: t.field({
        type: [row],
        description: descriptions.nodes,
        complexity: nodesCost,
        resolve: async ({ nodes }) => [...(await nodes())] as never,
      }),
      total: t.int({
        description: descriptions.total,
        complexity: statementCost,
        resolve: ({ total }) => total(),
      }),
      pageInfo: t.field({
        type: PageInfoType,
        description: descriptions.pageInfo,
        complexity: statementCost,
        resolve: ({ pageInfo }) => pageInfo(),
      }),
    }),
  });

/** The type `<name>Page` of a listing that is read with its total. */
export const loadedPageType = <Row>(name: string, row: ObjectRef<Types, Row>) =>
  builder.objectRef<LoadedPage<Row>>(`${name}Page`).implement({
    description: descriptionOf(row.name),
    interfaces: [PageInterface],
    fields: (t) => ({
      nodes: t.field({
        type: [row],
        description: descriptions.nodes,
        complexity: nodesCost,
        resolve: ({ nodes }) => [...nodes] as never,
      }),
      total: t.exposeInt('total', { description: descriptions.total }),
      pageInfo: t.expose('pageInfo', { type: PageInfoType, description: descriptions.pageInfo }),
    }),
  });
