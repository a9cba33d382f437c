import { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { columnsOf, withDates } from '../kernel/json-rows.ts';
import { idsOn, inOrder, type Listing, readerOf } from '../kernel/listing.ts';
import type { Page } from '../kernel/page.ts';
import type { Pipeline } from './types.ts';

type PipelineRecord = typeof Pipeline.$inferType;

/** A page of pipelines and how many there are, by one statement (docs/adr/0013). */
export function pipelinePage(
  { db }: Pick<Context, 'db'>,
  listing: Omit<Listing, 'table'>,
): Page<PipelineRecord> {
  const reader = readerOf(db, { ...listing, table: 'pipelines' });
  return {
    nodes: async (query) =>
      asksForMore(query)
        ? inOrder(await idsOn(reader), (where) =>
            db.pipeline.findMany({ ...query, relationLoadStrategy: 'join', where }),
          )
        : (await reader.rows<PipelineRecord>(columns)).map(withDates),
    total: reader.total,
  };
}

/** Whether a document asks for what is not in the table itself. */
const asksForMore = ({ include = {}, select }: { include?: object; select?: object }): boolean =>
  select !== undefined || Object.keys(include).length > 0;

/** What nobody is shown stays there. */
const columns = Prisma.raw(
  columnsOf(
    'pipelines',
    Object.keys(Prisma.PipelineScalarFieldEnum).filter(
      (name) => name !== 'variablesSealed' && name !== 'commitMessage',
    ),
  ),
);
