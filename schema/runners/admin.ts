import { Prisma } from '../../prisma/client.ts';
import { Admin } from '../administration/types.ts';
import { builder } from '../kernel/builder.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { listRunners, runnerListArgs } from './listing.ts';
import { RunnerPage } from './types.ts';

builder.objectField(Admin, 'runners', (t) =>
  t.field({
    type: RunnerPage,
    description: 'All runners of the instance, the oldest first.',
    complexity: listingCost,
    args: { ...runnerListArgs, ...pageArgs },
    resolve: (_admin, args, ctx) => listRunners(args, ctx, { where: Prisma.sql`true` }),
  }),
);
