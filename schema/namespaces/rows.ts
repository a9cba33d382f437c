import { type Database, Prisma } from '../../prisma/client.ts';
import { columnsOf, withDates } from '../kernel/json-rows.ts';
import { idsOn, inOrder, type Listing, readerOf } from '../kernel/listing.ts';

const columns = Prisma.raw(columnsOf('namespaces', Object.keys(Prisma.NamespaceScalarFieldEnum)));

/** A page of namespaces or groups; documents that select more than their columns use Prisma. */
export function namespacePage(db: Database, listing: Listing) {
  const reader = readerOf(db, listing);
  return {
    nodes: async (query: object) =>
      isPlain(query)
        ? (await reader.rows<NamespaceRow>(columns)).map(withDates)
        : inOrder(await idsOn(reader), (where) =>
            db.namespace.findMany({ ...query, relationLoadStrategy: 'join', where }),
          ),
    total: reader.total,
  };
}

type NamespaceRow = Prisma.NamespaceGetPayload<object>;

const isPlain = ({ include = {}, select }: { include?: object; select?: object }): boolean =>
  select === undefined && Object.keys(include).length === 0;
