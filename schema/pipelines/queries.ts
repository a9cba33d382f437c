import { builder } from '../kernel/builder.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { listPipelines, pipelineListArgs } from './filter.ts';
import { findPipelineProject } from './find.ts';
import { Pipeline, PipelinePage } from './types.ts';

builder.queryFields((t) => ({
  pipelines: t.field({
    type: PipelinePage,
    description: 'Those of a project, the newest first unless asked otherwise.',
    complexity: listingCost,
    args: { ...pageArgs, ...pipelineListArgs, project: t.arg.id({ required: true }) },
    resolve: async (_root, { project: ref, ...args }, ctx) =>
      listPipelines(await findPipelineProject(ref, ctx), args, ctx),
  }),
  pipeline: t.prismaField({
    type: Pipeline,
    args: { project: t.arg.id({ required: true }), id: t.arg.int({ required: true }) },
    resolve: async (query, _root, { project: ref, id }, ctx) => {
      const { id: projectId } = await findPipelineProject(ref, ctx);
      return orThrow(
        ctx.db.pipeline.findFirst({ ...query, where: { id, projectId } }),
        recordNotFound,
      );
    },
  }),
}));
