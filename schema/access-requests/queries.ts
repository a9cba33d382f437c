import { builder } from '../kernel/builder.ts';
import { listingCost, offsetPage, pageArgs, rowsOf } from '../listing/page.ts';
import { idsOf, inOrder } from '../listing/reader.ts';
import { sourceColumns } from '../members/members.ts';
import { findWithManagedMembers, sourceArgs } from '../projects/group-or-project.ts';
import { AccessRequestPage } from './types.ts';

builder.queryField('accessRequests', (t) =>
  t.field({
    type: AccessRequestPage,
    description: 'Who waits to become a member, the oldest request first; who manages members.',
    complexity: listingCost,
    args: { ...sourceArgs, ...pageArgs },
    resolve: async (_root, { source, ...page }, ctx) => {
      const where = sourceColumns(await findWithManagedMembers(source, ctx));
      return offsetPage(
        {
          nodes: async (query) =>
            inOrder(
              idsOf(
                await ctx.db.accessRequest.findMany({
                  select: { id: true },
                  ...rowsOf(page),
                  where,
                  orderBy: { id: 'asc' },
                }),
              ),
              (ids) =>
                ctx.db.accessRequest.findMany({
                  ...query,
                  relationLoadStrategy: 'join',
                  where: ids,
                }),
            ),
          total: () => ctx.db.accessRequest.count({ where }),
        },
        page,
      );
    },
  }),
);
