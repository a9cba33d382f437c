import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { SortDirection } from '../listing/sort.ts';
import { CiStatus } from '../pipelines/types.ts';
import { findRunner } from '../runners/find.ts';
import { reasonNotToShow } from '../runners/policy.ts';
import { listJobs } from './listing.ts';
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
      status: t.arg({ type: CiStatus, description: 'Only jobs with this status.' }),
      sort: t.arg({
        type: SortDirection,
        defaultValue: 'desc' as const,
        description: 'The direction of the order by id.',
      }),
    },
    resolve: async (_root, { runner, status, ...args }, ctx) => {
      await findRunner(runner, reasonNotToShow, ctx);
      const scope = status ? [status] : null;
      return listJobs({ ...args, scope }, ctx, belongsTo('runner_id', runner), [
        inProjectsWithSeenJobs(signedIn(ctx)),
      ]);
    },
  }),
);
