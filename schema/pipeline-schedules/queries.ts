import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { orThrow } from '../kernel/results.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { recordById } from '../listing/records.ts';
import { findSchedule, findSchedulesProject, scheduleNotFound } from './find.ts';
import { listSchedules, scheduleListArgs } from './listing.ts';
import { PipelineSchedule, PipelineSchedulePage } from './types.ts';

const projectArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project, by id or full path.' }),
}));

builder.queryFields((t) => ({
  pipelineSchedules: t.field({
    type: PipelineSchedulePage,
    extensions: internal,
    description: 'The pipeline schedules of a project, the oldest first.',
    complexity: listingCost,
    args: { ...scheduleListArgs, ...pageArgs, ...projectArgs },
    resolve: async (_root, { project, ...args }, ctx) => {
      const { id } = await findSchedulesProject(project, ctx);
      return listSchedules(id, args, ctx);
    },
  }),
  pipelineSchedule: t.prismaField({
    type: PipelineSchedule,
    extensions: internal,
    args: {
      ...projectArgs,
      id: t.arg.int({ required: true, description: 'The id of the schedule.' }),
    },
    resolve: async (query, _root, { project, id }, ctx) => {
      await findSchedule(project, id, ctx);
      return orThrow(recordById(ctx, 'pipelineSchedule', id, query), scheduleNotFound);
    },
  }),
}));
