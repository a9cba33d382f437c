import type { ObjectRef } from '@pothos/core';
import { PrismaObjectRef, queryFromInfo } from '@pothos/plugin-prisma';
import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { nodesCost, type Page, type PageInfo } from './page.ts';

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
export const pageType = <Row>(name: string, row: ObjectRef<Types, Row>) =>
  builder.objectRef<Page<Row>>(`${name}Page`).implement({
    description: `A page of a listing of \`${row.name}\`.`,
    interfaces: [PageInterface as never],
    fields: (t) => ({
      nodes: t.field({
        type: [row],
        description: descriptions.nodes,
        complexity: nodesCost,
        resolve: async ({ nodes }, _args, context, info) => {
          const query = row instanceof PrismaObjectRef ? queryFromInfo({ context, info }) : {};
          return (await nodes(query, info)) as never;
        },
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
