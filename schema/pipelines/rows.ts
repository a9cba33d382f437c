import { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { columnsOf, withDates } from '../listing/json-rows.ts';
import type { Listing } from '../listing/listing.ts';
import type { Page } from '../listing/page.ts';
import { readerOf } from '../listing/reader.ts';
import { recordsOn } from '../listing/records.ts';
import type { Pipeline } from './types.ts';

type PipelineRecord = typeof Pipeline.$inferType;

/** A page of pipelines with the total, in one statement (docs/adr/0013). */
export function pipelinePage(
  ctx: Pick<Context, 'db'>,
  listing: Omit<Listing, 'table'>,
): Page<PipelineRecord> {
  const reader = readerOf(ctx, { ...listing, table: 'pipelines' });
  return {
    nodes: async (query) =>
      asksForMore(query)
        ? recordsOn(ctx, reader, 'pipeline', query)
        : (await reader.rows<PipelineRecord>(columns)).map(withDates),
    total: reader.total,
    pageInfo: reader.pageInfo,
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
