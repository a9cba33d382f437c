import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { done } from '../kernel/results.ts';
import { requestHousekeeping } from './housekeeping.ts';

builder.mutationField('housekeepProject', (t) =>
  t.boolean({
    complexity: heavyCost,
    args: { project: t.arg.id({ required: true }) },
    resolve: (_root, { project }, ctx) => done(requestHousekeeping(project, ctx)),
  }),
);
