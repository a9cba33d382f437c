import { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { columnsOf, withDates } from '../kernel/json-rows.ts';
import { idsOn, inOrder, type Listing, readerOf } from '../kernel/listing.ts';
import type { Page } from '../kernel/page.ts';
import type { Pipeline } from './types.ts';

type PipelineRecord = typeof Pipeline.$inferType;

/** A page of pipelines with the total, in one statement (docs/adr/0013). */
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

/** Whether a document selects fields outside the table's columns. */
const asksForMore = ({ include = {}, select }: { include?: object; select?: object }): boolean =>
  select !== undefined || Object.keys(include).length > 0;

/** Columns that are never shown are not read. */
const columns = Prisma.raw(
  columnsOf(
    'pipelines',
    Object.keys(Prisma.PipelineScalarFieldEnum).filter(
      (name) => name !== 'variablesSealed' && name !== 'commitMessage',
    ),
  ),
);
