import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { given } from '../kernel/given.ts';
import { done } from '../kernel/results.ts';
import { storedRecord } from '../listing/records.ts';
import { Pipeline } from '../pipelines/types.ts';
import { createSchedule, deleteSchedule, takeSchedule, updateSchedule } from './change.ts';
import { bySchedule } from './node.ts';
import { runScheduleNow } from './run.ts';
import { PipelineSchedule } from './types.ts';

const scheduleArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project.' }),
  id: t.int({ required: true, description: 'The id of the schedule.' }),
}));

const whoMayChange = 'Requires the owner of the schedule or the access level MASTER.';

const texts = {
  description: 'The text by which users recognize the schedule.',
  ref: 'The branch or tag, whose newest commit is used.',
  cron: 'The times as an expression of cron: minute, hour, day of the month, month, day of the week.',
  cronTimezone:
    'The time zone of the expression: a name of the IANA database such as `Europe/Berlin`, or of ActiveSupport such as `Berlin`.',
  isActive: 'Whether the schedule creates pipelines.',
} as const;

builder.mutationFields((t) => ({
  createPipelineSchedule: t.prismaField({
    type: PipelineSchedule,
    description:
      'Creates a schedule that creates pipelines in the name of the current user. Requires the access level DEVELOPER or higher.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      description: t.arg.string({ required: true, description: texts.description }),
      ref: t.arg.string({ required: true, description: texts.ref }),
      cron: t.arg.string({ required: true, description: texts.cron }),
      cronTimezone: t.arg.string({ defaultValue: 'UTC', description: texts.cronTimezone }),
      isActive: t.arg.boolean({ defaultValue: true, description: texts.isActive }),
    },
    resolve: async (query, _root, { project, cronTimezone, isActive, ...input }, ctx) => {
      const schedule = {
        ...input,
        cronTimezone: cronTimezone ?? 'UTC',
        isActive: isActive ?? true,
      };
      const id = await createSchedule(project, schedule, ctx);
      return storedRecord(ctx, 'pipelineSchedule', id, query);
    },
  }),
  updatePipelineSchedule: t.prismaField({
    extensions: bySchedule,
    type: PipelineSchedule,
    description: `Changes a pipeline schedule. A user who changes its ref or times, or activates it, becomes its owner. ${whoMayChange}`,
    args: {
      ...scheduleArgs,
      description: t.arg.string({ description: texts.description }),
      ref: t.arg.string({ description: texts.ref }),
      cron: t.arg.string({ description: texts.cron }),
      cronTimezone: t.arg.string({ description: texts.cronTimezone }),
      isActive: t.arg.boolean({ description: texts.isActive }),
    },
    resolve: async (query, _root, { project, id, ...changes }, ctx) => {
      await updateSchedule(project, id, given(changes), ctx);
      return storedRecord(ctx, 'pipelineSchedule', id, query);
    },
  }),
  takePipelineScheduleOwnership: t.prismaField({
    extensions: bySchedule,
    type: PipelineSchedule,
    description: `Makes the current user the owner of a pipeline schedule, in whose name it creates pipelines. ${whoMayChange}`,
    args: scheduleArgs,
    resolve: async (query, _root, { project, id }, ctx) => {
      await takeSchedule(project, id, ctx);
      return storedRecord(ctx, 'pipelineSchedule', id, query);
    },
  }),
  runPipelineSchedule: t.prismaField({
    extensions: bySchedule,
    type: Pipeline,
    description:
      'Creates a pipeline of a schedule at once, in the name of the current user; its next run stays as planned. Requires the access level DEVELOPER or higher.',
    complexity: heavyCost,
    args: scheduleArgs,
    resolve: async (query, _root, { project, id }, ctx) =>
      storedRecord(ctx, 'pipeline', await runScheduleNow(project, id, ctx), query),
  }),
  deletePipelineSchedule: t.id({
    extensions: { ...bySchedule, identifies: 'PipelineSchedule' },
    description: `Deletes a pipeline schedule; its pipelines stay. ${whoMayChange}`,
    args: scheduleArgs,
    resolve: (_root, { project, id }, ctx) => done(deleteSchedule(project, id, ctx), id),
  }),
}));
