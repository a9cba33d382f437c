import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { storedRecord } from '../listing/records.ts';
import { Project } from '../projects/types.ts';
import { requestHousekeeping } from './housekeeping.ts';

builder.mutationField('housekeepProject', (t) =>
  t.prismaField({
    type: Project,
    complexity: heavyCost,
    description:
      'Starts the housekeeping of a repository in the background, at most once an hour. Requires the access level MASTER or higher.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
    },
    resolve: async (query, _root, { project }, ctx) => {
      const id = await requestHousekeeping(project, ctx);
      return storedRecord(ctx, 'project', id, query);
    },
  }),
);
