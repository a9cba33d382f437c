import { Group } from '../groups/types.ts';
import { builder } from '../kernel/builder.ts';
import { heavyCost, walkCost } from '../kernel/cost.ts';
import { storedRecord } from '../listing/records.ts';
import { Project } from '../projects/types.ts';
import { moveGroup } from './group.ts';
import { moveProject, transferProject } from './project.ts';

const Transfer = builder
  .objectRef<{ readonly projectId: number; readonly groupId: number }>('Transfer')
  .implement({
    extensions: { isPayload: true },
    description: 'A project that was moved into a group.',
    fields: (t) => ({
      project: t.prismaField({
        type: Project,
        description: 'The project with its new path.',
        resolve: (query, { projectId: id }, _args, ctx) => storedRecord(ctx, 'project', id, query),
      }),
      group: t.prismaField({
        type: Group,
        description: 'The group that contains the project now.',
        resolve: (query, { groupId: id }, _args, ctx) => storedRecord(ctx, 'namespace', id, query),
      }),
    }),
  });

builder.mutationField('transferProject', (t) =>
  t.field({
    type: Transfer,
    complexity: heavyCost,
    description:
      'Moves a project into a group, where its full path and the rights of members change. Requires an administrator.',
    args: {
      group: t.arg.id({
        required: true,
        description: 'The group that gets the project.',
      }),
      project: t.arg.id({ required: true, description: 'The project.' }),
    },
    resolve: (_root, { group, project }, ctx) => transferProject(group, project, ctx),
  }),
);

builder.mutationField('moveProject', (t) =>
  t.prismaField({
    type: Project,
    complexity: heavyCost,
    description:
      'Moves a project into a group or the personal namespace of a user, where its full path and the rights of members change. Requires the access level OWNER, and the right to create projects in the namespace.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      namespace: t.arg.id({
        required: true,
        description: 'The namespace that gets the project.',
      }),
    },
    resolve: async (query, _root, { project, namespace }, ctx) =>
      storedRecord(ctx, 'project', await moveProject(project, namespace, ctx), query),
  }),
);

builder.mutationField('moveGroup', (t) =>
  t.prismaField({
    type: Group,
    complexity: walkCost,
    description:
      'Moves a group with its subgroups and projects into another group or to the top level, where their full paths and the rights of members change. What is visible to more users than the new parent gets its visibility. Requires the access level OWNER, and the right to create groups there.',
    args: {
      group: t.arg.id({ required: true, description: 'The group that is moved.' }),
      parent: t.arg.id({
        description: 'The group that gets it; null for the top level.',
      }),
    },
    resolve: async (query, _root, { group, parent }, ctx) =>
      storedRecord(ctx, 'namespace', await moveGroup(group, parent ?? null, ctx), query),
  }),
);
