import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { findRunner } from '../runners/find.ts';
import { reasonNotToShow } from '../runners/policy.ts';
import { jobListArgs, listJobs } from './listing.ts';
import { JobPage } from './types.ts';
import { inProjectsWithSeenJobs } from './visible.ts';

builder.queryField('runnerJobs', (t) =>
  t.field({
    type: JobPage,
    extensions: internal,
    description: 'The jobs that a runner was assigned and that the current user may see.',
    complexity: listingCost,
    args: {
      ...pageArgs,
      runner: t.arg.int({ required: true, description: 'The id of the runner.' }),
      ...jobListArgs,
    },
    resolve: async (_root, { runner, ...args }, ctx) => {
      await findRunner(runner, reasonNotToShow, ctx);
      return listJobs(args, ctx, belongsTo('runner_id', runner), [
        inProjectsWithSeenJobs(signedIn(ctx)),
      ]);
    },
  }),
);
