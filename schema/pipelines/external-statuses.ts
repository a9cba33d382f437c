import { CommitStatus } from '../commits/statuses.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import { listingCost } from '../listing/page.ts';
import { recordsById } from '../listing/records.ts';
import { Pipeline } from './types.ts';

/** Maximum number of statuses of a pipeline. */
const maxServices = 100;

/** The ids of the newest status of each service, by its name, for many pipelines. */
const newestStatuses = batched<number, readonly number[]>(async (pipelineIds, { db }) => {
  const rows = await db.$queryRaw<{ pipelineId: number; ids: number[] }[]>`
    SELECT wanted.id AS "pipelineId", ARRAY(
      SELECT newest.id FROM (
        SELECT DISTINCT ON (name) id, name FROM commit_statuses WHERE pipeline_id = wanted.id
        ORDER BY name, id DESC LIMIT ${maxServices}) newest ORDER BY name) AS ids
    FROM unnest(${[...pipelineIds]}::int[]) AS wanted(id)`;
  return new Map(rows.map(({ pipelineId, ids }) => [pipelineId, ids]));
}, []);

builder.prismaObjectField(Pipeline, 'externalStatuses', (t) =>
  t.prismaField({
    type: [CommitStatus],
    description: `The newest status of each external service, ordered by name; at most ${maxServices}.`,
    complexity: listingCost({ perPage: maxServices }),
    select: { id: true },
    resolve: async (query, { id }, _args, ctx) =>
      recordsById(ctx, 'commitStatus', await newestStatuses(id, ctx), query),
  }),
);
