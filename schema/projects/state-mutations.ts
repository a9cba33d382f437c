import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { storedRecord } from '../listing/records.ts';
import { changeStar, type StarChange, setArchived } from './states.ts';
import { Project } from './types.ts';

const projectArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project.' }),
}));

for (const [name, isArchived, description] of [
  [
    'archiveProject',
    true,
    'Archives a project, which becomes read-only. Requires the access level OWNER.',
  ],
  [
    'unarchiveProject',
    false,
    'Makes an archived project writable again. Requires the access level OWNER.',
  ],
] as const) {
  builder.mutationField(name, (t) =>
    t.prismaField({
      type: Project,
      description,
      args: projectArgs,
      resolve: async (query, _root, { project }, ctx) => {
        const id = await setArchived(project, isArchived, ctx);
        return storedRecord(ctx, 'project', id, query);
      },
    }),
  );
}

const Star = builder.objectRef<StarChange>('StarChange').implement({
  extensions: { isPayload: true },
  fields: (t) => ({
    hasChanged: t.exposeBoolean('hasChanged', { extensions: internal }),
    project: t.prismaField({
      type: Project,
      description: 'The project.',
      resolve: (query, { projectId }, _args, ctx) => storedRecord(ctx, 'project', projectId, query),
    }),
  }),
});

for (const [name, by, description] of [
  ['starProject', 1, 'Stars a project for the current user, who must see it.'],
  ['unstarProject', -1, 'Removes the star of the current user from a project.'],
] as const) {
  builder.mutationField(name, (t) =>
    t.field({
      type: Star,
      description,
      args: projectArgs,
      resolve: (_root, { project }, ctx) => changeStar(project, ctx, by),
    }),
  );
}
