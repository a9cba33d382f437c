import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { notFound } from '../kernel/errors.ts';
import { ifVisible } from '../kernel/results.ts';
import { belongsTo } from '../listing/listing.ts';
import { firstVisible, listingCost, pageArgs } from '../listing/page.ts';
import { pipelineProjectById } from '../pipelines/find.ts';
import { canViewPipelines } from '../pipelines/newest.ts';
import { Pipeline } from '../pipelines/types.ts';
import { Project } from '../projects/types.ts';
import { showableRunner } from '../runners/showable.ts';
import { Runner } from '../runners/types.ts';
import { jobListArgs, listJobs, pipelineJobArgs } from './listing.ts';
import { Job, JobPage } from './types.ts';
import { inProjectsWithSeenJobs } from './visible.ts';

const edge = { type: JobPage, nullable: true, complexity: listingCost } as const;

builder.prismaObjectField(Project, 'jobs', (t) =>
  t.field({
    ...edge,
    description:
      'The jobs of all pipelines, the newest first by default, with those that a retry has replaced. Null for an anonymous user, and for a user who may not see them.',
    args: { ...pageArgs, ...jobListArgs },
    select: { id: true },
    resolve: ({ id }, args, ctx) =>
      ifVisible(async () => {
        await pipelineProjectById(id, ctx);
        return listJobs(args, ctx, belongsTo('project_id', id));
      }),
  }),
);

builder.prismaObjectField(Project, 'job', (t) =>
  t.prismaField({
    type: Job,
    nullable: true,
    complexity: statementCost,
    description: 'A job of the project. Null for a user who may not see it.',
    args: { id: t.arg.int({ required: true, description: 'The id of the job.' }) },
    resolve: (query, { id: projectId }, { id }, ctx, info) =>
      // the type selects what a document needs, so a row is incomplete by its type
      firstVisible(query, info, async () => {
        await pipelineProjectById(projectId, ctx);
        const parent = belongsTo('project_id', projectId);
        return listJobs({ perPage: 1 }, ctx, parent, [Prisma.sql`id = ${id}`]);
      }) as Promise<never>,
  }),
);

builder.prismaObjectField(Pipeline, 'jobs', (t) =>
  t.field({
    type: JobPage,
    complexity: listingCost,
    description: 'The jobs of the pipeline, the newest first by default.',
    args: { ...pageArgs, ...jobListArgs, ...pipelineJobArgs },
    select: { id: true, projectId: true },
    resolve: async ({ id, projectId }, args, ctx) => {
      if (!(await canViewPipelines(projectId, ctx))) throw notFound('Pipeline');
      return listJobs(args, ctx, belongsTo('pipeline_id', id));
    },
  }),
);

builder.prismaObjectField(Runner, 'jobs', (t) =>
  t.field({
    ...edge,
    description:
      'The jobs that the runner was assigned and that the current user may see, the newest first by default. Null for a user who may not see the details of the runner.',
    args: { ...pageArgs, ...jobListArgs },
    select: { id: true, isShared: true },
    resolve: (runner, args, ctx) =>
      ifVisible(async () => {
        const viewer = await showableRunner(runner, ctx);
        return listJobs(args, ctx, belongsTo('runner_id', runner.id), [
          inProjectsWithSeenJobs(viewer),
        ]);
      }),
  }),
);
