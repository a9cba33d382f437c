import { builder } from '../kernel/builder.ts';
import { ifVisible } from '../kernel/results.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { Project } from '../projects/types.ts';
import { environmentsProjectById } from './find.ts';
import { deploymentListArgs, listDeployments, listEnvironments } from './listing.ts';
import { DeploymentPage, Environment, EnvironmentPage } from './types.ts';

builder.prismaObjectField(Project, 'environments', (t) =>
  t.field({
    type: EnvironmentPage,
    nullable: true,
    description:
      'The environments of the project, the oldest first. Null for a user below the level of a reporter.',
    complexity: listingCost,
    args: pageArgs,
    select: { id: true },
    resolve: ({ id }, page, ctx) =>
      ifVisible(async () => {
        await environmentsProjectById(id, ctx);
        return listEnvironments(id, page, ctx);
      }),
  }),
);

builder.prismaObjectField(Project, 'deployments', (t) =>
  t.field({
    type: DeploymentPage,
    nullable: true,
    description:
      'The deployments of the project, in all environments. Null for a user below the level of a reporter.',
    complexity: listingCost,
    args: { ...deploymentListArgs, ...pageArgs },
    select: { id: true },
    resolve: ({ id }, args, ctx) =>
      ifVisible(async () => {
        await environmentsProjectById(id, ctx);
        return listDeployments(belongsTo('project_id', id), args, ctx);
      }),
  }),
);

builder.prismaObjectField(Environment, 'deployments', (t) =>
  t.field({
    type: DeploymentPage,
    description: 'The deployments to the environment, the newest first.',
    complexity: listingCost,
    args: pageArgs,
    select: { id: true },
    resolve: ({ id }, page, ctx) =>
      listDeployments(belongsTo('environment_id', id), { ...page, sort: 'desc' }, ctx),
  }),
);
