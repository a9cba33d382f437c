import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { requestHousekeeping } from './housekeeping.ts';

builder.mutationField('housekeepProject', (t) =>
  t.boolean({
    complexity: heavyCost,
    args: { project: t.arg.id({ required: true }) },
    resolve: async (_root, { project }, ctx) => {
      await requestHousekeeping(project, ctx);
      return true;
    },
  }),
);
