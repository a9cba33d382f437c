import { Prisma } from '../../prisma/client.ts';
import { CommitStatus } from '../commits/statuses.ts';
import { builder } from '../kernel/builder.ts';
import { listingCost } from '../listing/page.ts';
import { idsOf, inOrder } from '../listing/reader.ts';
import { Pipeline } from './types.ts';

/** Maximum number of statuses in a payload. */
const maxServices = 100;

builder.prismaObjectField(Pipeline, 'externalStatuses', (t) =>
  t.prismaField({
    type: [CommitStatus],
    description: 'The last word of each service outside, by its name.',
    complexity: listingCost({ perPage: maxServices }),
    select: { id: true },
    resolve: async (query, { id }, _args, { db }) => {
      const statuses = await db.$queryRaw<{ id: number }[]>(Prisma.sql`
        SELECT DISTINCT ON (name) id FROM commit_statuses WHERE pipeline_id = ${id}
        ORDER BY name, id DESC LIMIT ${maxServices}`);
      return inOrder(idsOf(statuses), (rows) =>
        db.commitStatus.findMany({ ...query, where: rows }),
      );
    },
  }),
);
