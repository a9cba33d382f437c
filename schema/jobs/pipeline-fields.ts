import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { listingCost, offsetPage, pageArgs, rowsOf } from '../listing/page.ts';
import { idsOf, inOrder } from '../listing/reader.ts';
import { Pipeline } from '../pipelines/types.ts';
import { JobPage } from './types.ts';

builder.prismaObjectField(Pipeline, 'stagedJobs', (t) =>
  t.field({
    type: JobPage,
    description: 'Stage by stage, by their names; what was tried again before what took its place.',
    complexity: listingCost,
    args: pageArgs,
    select: { id: true },
    resolve: ({ id: pipelineId }, page, { db }) =>
      offsetPage(
        {
          nodes: async (query) => {
            const { skip, take } = rowsOf(page);
            const rows = await db.$queryRaw<{ id: number }[]>(Prisma.sql`
          SELECT id FROM jobs WHERE pipeline_id = ${pipelineId}
          ORDER BY stage_index, name, id LIMIT ${take} OFFSET ${skip}`);
            return inOrder(idsOf(rows), (where) =>
              db.job.findMany({ ...query, relationLoadStrategy: 'join', where }),
            );
          },
          total: () => db.job.count({ where: { pipelineId } }),
        },
        page,
      ),
  }),
);
