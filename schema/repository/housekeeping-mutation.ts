import { builder } from '../kernel/builder.ts';
import { askHousekeeping } from './housekeeping.ts';

builder.mutationField('housekeepProject', (t) =>
  t.boolean({
    args: { project: t.arg.id({ required: true }) },
    resolve: async (_root, { project }, ctx) => {
      await askHousekeeping(project, ctx);
      return true;
    },
  }),
);
