import { builder } from '../kernel/builder.ts';
import { changeStar, type StarChange, setArchived } from './states.ts';
import { Project } from './types.ts';

const projectArgs = builder.args((t) => ({ project: t.id({ required: true }) }));

for (const [name, isArchived] of [
  ['archiveProject', true],
  ['unarchiveProject', false],
] as const) {
  builder.mutationField(name, (t) =>
    t.prismaField({
      type: Project,
      args: projectArgs,
      resolve: async (query, _root, { project }, ctx) => {
        const id = await setArchived(project, isArchived, ctx);
        return ctx.db.project.findUniqueOrThrow({ ...query, where: { id } });
      },
    }),
  );
}

const Star = builder.objectRef<StarChange>('StarChange').implement({
  fields: (t) => ({
    hasChanged: t.exposeBoolean('hasChanged'),
    project: t.prismaField({
      type: Project,
      resolve: (query, { projectId }, _args, { db }) =>
        db.project.findUniqueOrThrow({ ...query, where: { id: projectId } }),
    }),
  }),
});

for (const [name, by] of [
  ['starProject', 1],
  ['unstarProject', -1],
] as const) {
  builder.mutationField(name, (t) =>
    t.field({
      type: Star,
      args: projectArgs,
      resolve: (_root, { project }, ctx) => changeStar(project, ctx, by),
    }),
  );
}
