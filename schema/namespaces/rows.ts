import { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { columnsOf, withDates } from '../listing/json-rows.ts';
import type { Listing } from '../listing/listing.ts';
import type { Page } from '../listing/page.ts';
import { readerOf } from '../listing/reader.ts';
import { recordsOn } from '../listing/records.ts';

const columns = Prisma.raw(columnsOf('namespaces', Object.keys(Prisma.NamespaceScalarFieldEnum)));

/** A page of namespaces or groups; documents that select more than their columns use Prisma. */
export function namespacePage(ctx: Pick<Context, 'db'>, listing: Listing): Page<NamespaceRow> {
  const reader = readerOf(ctx, listing);
  return {
    nodes: async (query) =>
      isPlain(query)
        ? (await reader.rows<NamespaceRow>(columns)).map(withDates)
        : recordsOn(ctx, reader, 'namespace', query),
    total: reader.total,
    pageInfo: reader.pageInfo,
  };
}

type NamespaceRow = Prisma.NamespaceGetPayload<object>;

const isPlain = ({ include = {}, select }: { include?: object; select?: object }): boolean =>
  select === undefined && Object.keys(include).length === 0;
