import { builder } from '../kernel/builder.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { orThrow } from '../kernel/results.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { findEnvironmentsProject } from './find.ts';
import { deploymentListArgs, listDeployments, listEnvironments } from './listing.ts';
import { Deployment, DeploymentPage, Environment, EnvironmentPage } from './types.ts';

const projectArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project, by id or full path.' }),
}));

builder.queryFields((t) => ({
  environments: t.field({
    type: EnvironmentPage,
    extensions: internal,
    description: 'The environments of a project, the oldest first.',
    complexity: listingCost,
    args: { ...pageArgs, ...projectArgs },
    resolve: async (_root, { project, ...page }, ctx) => {
      const { id } = await findEnvironmentsProject(project, ctx);
      return listEnvironments(id, page, ctx);
    },
  }),
  environment: t.prismaField({
    type: Environment,
    extensions: internal,
    args: {
      ...projectArgs,
      id: t.arg.int({ required: true, description: 'The id of the environment.' }),
    },
    resolve: async (query, _root, { project, id }, ctx) => {
      const { id: projectId } = await findEnvironmentsProject(project, ctx);
      const where = { id, projectId };
      return orThrow(ctx.db.environment.findFirst({ ...query, where }), recordNotFound);
    },
  }),
  deployments: t.field({
    type: DeploymentPage,
    extensions: internal,
    description: 'The deployments of a project.',
    complexity: listingCost,
    args: { ...deploymentListArgs, ...pageArgs, ...projectArgs },
    resolve: async (_root, { project, ...args }, ctx) => {
      const { id } = await findEnvironmentsProject(project, ctx);
      return listDeployments(belongsTo('project_id', id), args, ctx);
    },
  }),
  deployment: t.prismaField({
    type: Deployment,
    extensions: internal,
    args: {
      ...projectArgs,
      id: t.arg.int({ required: true, description: 'The id of the deployment.' }),
    },
    resolve: async (query, _root, { project, id }, ctx) => {
      const { id: projectId } = await findEnvironmentsProject(project, ctx);
      const where = { id, projectId };
      return orThrow(ctx.db.deployment.findFirst({ ...query, where }), recordNotFound);
    },
  }),
}));
