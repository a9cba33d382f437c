import { builder } from '../kernel/builder.ts';
import { canDeletePipelines, canRunPipelines, canSeePipelines } from '../pipelines/policy.ts';
import { Pipeline } from '../pipelines/types.ts';
import { ProjectAccess } from '../projects/types.ts';
import { permissionFactsIn } from './permission-facts.ts';
import { canChangeJob } from './policy.ts';

builder.objectField(ProjectAccess, 'canSeePipelines', (t) =>
  t.boolean({
    description: 'Whether the current user may see the pipelines of the project.',
    resolve: ({ project, level }) => canSeePipelines(level, project),
  }),
);

builder.objectField(ProjectAccess, 'canRunPipelines', (t) =>
  t.boolean({
    description: 'Whether the current user may create pipelines of branches without protection.',
    resolve: ({ project, level }) => project.jobsEnabled && canRunPipelines(level, project),
  }),
);

builder.prismaObjectFields(Pipeline, (t) => ({
  canRun: t.boolean({
    description: 'Whether the current user may retry it, cancel it and start its manual jobs.',
    select: { projectId: true, ref: true, isTag: true },
    resolve: async ({ projectId, ...pipeline }, _args, ctx) => {
      const standing = ctx.viewer && (await permissionFactsIn(projectId, ctx));
      return standing !== null && canChangeJob(pipeline, standing);
    },
  }),
  canDelete: t.boolean({
    description: 'Whether the current user may delete it with its jobs.',
    select: { projectId: true },
    resolve: async ({ projectId }, _args, ctx) => {
      const standing = ctx.viewer && (await permissionFactsIn(projectId, ctx));
      return standing !== null && canDeletePipelines(standing.level, standing.project);
    },
  }),
}));
