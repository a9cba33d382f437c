import { permissionFactsIn } from '../jobs/permission-facts.ts';
import { canChangeJob } from '../jobs/policy.ts';
import { builder } from '../kernel/builder.ts';
import { ProjectAccess } from '../projects/types.ts';
import { environmentsProjectById } from './find.ts';
import { canChangeEnvironments, canCreateEnvironments, canSeeEnvironments } from './policy.ts';
import { stoppingJob } from './stopping-job.ts';
import { Environment } from './types.ts';

builder.objectFields(ProjectAccess, (t) => ({
  canSeeEnvironments: t.boolean({
    description: 'Whether the current user may see the environments and deployments.',
    resolve: ({ project, level }, _args, { viewer }) =>
      viewer !== null && canSeeEnvironments(level, project),
  }),
  canCreateEnvironments: t.boolean({
    description: 'Whether the current user may create environments.',
    resolve: ({ project, level }) => canCreateEnvironments(level, project),
  }),
}));

builder.prismaObjectFields(Environment, (t) => ({
  canChange: t.boolean({
    description: 'Whether the current user may change and delete it.',
    select: { projectId: true },
    resolve: async ({ projectId }, _args, ctx) => {
      const project = await environmentsProjectById(projectId, ctx);
      return canChangeEnvironments(project.level, project);
    },
  }),
  canStop: t.boolean({
    description:
      'Whether the current user may stop it: it runs, and the user may start the job that stops it or, without such a job, change it.',
    select: { id: true, projectId: true, state: true },
    resolve: async ({ id, projectId, state }, _args, ctx) => {
      if (state === 'stopped') return false;
      const project = await environmentsProjectById(projectId, ctx);
      if (!canCreateEnvironments(project.level, project)) return false;
      const job = await stoppingJob(id, ctx);
      if (!job) return canChangeEnvironments(project.level, project);
      const standing = await permissionFactsIn(projectId, ctx);
      return standing !== null && canChangeJob(job.pipeline, standing);
    },
  }),
}));
