import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { orThrow } from '../kernel/results.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { findRecord } from '../listing/records.ts';
import { listPipelines, pipelineListArgs } from './filter.ts';
import { findPipelineProject } from './find.ts';
import { Pipeline, PipelinePage } from './types.ts';

const projectArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project, by id or full path.' }),
}));

builder.queryFields((t) => ({
  pipelines: t.field({
    type: PipelinePage,
    extensions: internal,
    description: 'The pipelines of a project, the newest first by default.',
    complexity: listingCost,
    args: { ...pageArgs, ...pipelineListArgs, ...projectArgs },
    resolve: async (_root, { project: ref, ...args }, ctx) => {
      const project = await findPipelineProject(ref, ctx);
      return listPipelines(project, args, ctx, belongsTo('project_id', project.id));
    },
  }),
  pipeline: t.prismaField({
    type: Pipeline,
    extensions: internal,
    args: {
      ...projectArgs,
      id: t.arg.int({ required: true, description: 'The id of the pipeline.' }),
    },
    resolve: async (query, _root, { project: ref, id }, ctx) => {
      const { id: projectId } = await findPipelineProject(ref, ctx);
      const condition = Prisma.sql`id = ${id} AND project_id = ${projectId}`;
      return orThrow(findRecord(ctx, { model: 'pipeline', query, condition }), recordNotFound);
    },
  }),
}));
