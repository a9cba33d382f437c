import { builder } from '../kernel/builder.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { updatesOf } from '../kernel/updates.ts';
import { findPipeline, findPipelineProject } from './find.ts';
import { byPipeline } from './node.ts';
import { Pipeline } from './types.ts';

builder.subscriptionField('pipelineUpdated', (t) =>
  t.prismaField({
    type: Pipeline,
    extensions: byPipeline,
    description:
      'A pipeline at once, and after each change of its status, its jobs or its external statuses. Changes in quick succession are one event.',
    args: {
      project: t.arg.id({ required: true, description: 'The project, by id or full path.' }),
      id: t.arg.int({ required: true, description: 'The id of the pipeline.' }),
    },
    subscribe: async (_root, { project: ref, id }, ctx) => {
      const project = await findPipelineProject(ref, ctx);
      await findPipeline(project, id, ctx);
      return updatesOf([`pipeline ${id}`], { projectId: project.id }, ctx);
    },
    resolve: async (query, { projectId }, { id }, ctx) => {
      await findPipelineProject(String(projectId), ctx);
      return orThrow(
        ctx.db.pipeline.findFirst({ ...query, where: { id, projectId } }),
        recordNotFound,
      );
    },
  }),
);
