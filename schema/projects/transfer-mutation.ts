import { Group } from '../groups/types.ts';
import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { transferProject } from './transfer.ts';

builder.mutationField('transferProject', (t) =>
  t.prismaField({
    type: Group,
    complexity: heavyCost,
    args: { group: t.arg.id({ required: true }), project: t.arg.id({ required: true }) },
    resolve: async (query, _root, { group, project }, ctx) => {
      const id = await transferProject(group, project, ctx);
      return ctx.db.namespace.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
);
