import { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { columnsOf, withDates } from '../listing/json-rows.ts';
import type { Listing } from '../listing/listing.ts';
import type { Page } from '../listing/page.ts';
import { readerOf } from '../listing/reader.ts';
import { recordsOn } from '../listing/records.ts';
import type { Pipeline } from './types.ts';

export type PipelineRecord = typeof Pipeline.$inferType;

/** A page of pipelines with the total, in one statement (docs/adr/0013). */
export function pipelinePage(
  ctx: Pick<Context, 'db'>,
  listing: Omit<Listing, 'table'>,
): Page<PipelineRecord> {
  const reader = readerOf(ctx, { ...listing, table: 'pipelines' });
  return {
    nodes: async (query) =>
      needsRelations(query)
        ? recordsOn(ctx, reader, 'pipeline', query)
        : (await reader.rows<PipelineRecord>(shownColumns)).map(withDates),
    total: reader.total,
    pageInfo: reader.pageInfo,
  };
}

/** Whether a document selects relations, which Prisma reads. */
export const needsRelations = ({
  include = {},
  select,
}: {
  include?: object;
  select?: object;
}): boolean => select !== undefined || Object.keys(include).length > 0;

/** The columns of a pipeline that fields show. */
export const shownColumns = Prisma.raw(
  columnsOf(
    'pipelines',
    Object.keys(Prisma.PipelineScalarFieldEnum).filter(
      (name) => name !== 'variablesSealed' && name !== 'commitMessage',
    ),
  ),
);
