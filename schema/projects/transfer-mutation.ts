import { Group } from '../groups/types.ts';
import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { transferProject } from './transfer.ts';

builder.mutationField('transferProject', (t) =>
  t.prismaField({
    type: Group,
    complexity: heavyCost,
    description:
      'Moves a project into a group, where its full path and the rights of members change. Administrators only.',
    args: {
      group: t.arg.id({
        required: true,
        description: 'The id or full path of the group that gets the project.',
      }),
      project: t.arg.id({ required: true, description: 'The id or full path of the project.' }),
    },
    resolve: async (query, _root, { group, project }, ctx) => {
      const id = await transferProject(group, project, ctx);
      return ctx.db.namespace.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
);
