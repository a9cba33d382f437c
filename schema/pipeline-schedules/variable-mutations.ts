import { builder } from '../kernel/builder.ts';
import { storedRecord } from '../listing/records.ts';
import {
  createScheduleVariable,
  deleteScheduleVariable,
  updateScheduleVariable,
} from './change-variables.ts';
import { bySchedule } from './node.ts';
import { PipelineScheduleVariable } from './types.ts';

const variableArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project.' }),
  id: t.int({ required: true, description: 'The id of the schedule.' }),
  key: t.string({ required: true, description: 'The name: letters, digits and underscores.' }),
}));

const whoMayChange =
  'The current user becomes the owner of the schedule. Requires its owner or the access level MASTER.';

builder.mutationFields((t) => ({
  createPipelineScheduleVariable: t.prismaField({
    extensions: bySchedule,
    type: PipelineScheduleVariable,
    description: `Adds a variable for the jobs of a pipeline schedule. ${whoMayChange}`,
    args: {
      ...variableArgs,
      value: t.arg.string({ required: true, description: 'The value.' }),
    },
    resolve: async (query, _root, { project, id, ...variable }, ctx) => {
      const created = await createScheduleVariable(project, id, variable, ctx);
      return storedRecord(ctx, 'pipelineScheduleVariable', created, query);
    },
  }),
  updatePipelineScheduleVariable: t.prismaField({
    extensions: bySchedule,
    type: PipelineScheduleVariable,
    description: `Changes a variable of a pipeline schedule. ${whoMayChange}`,
    args: { ...variableArgs, value: t.arg.string({ description: 'The new value.' }) },
    resolve: async (query, _root, { project, id, key, value }, ctx) => {
      const change = { key, value: value ?? undefined };
      const changed = await updateScheduleVariable(project, id, change, ctx);
      return storedRecord(ctx, 'pipelineScheduleVariable', changed, query);
    },
  }),
  deletePipelineScheduleVariable: t.field({
    extensions: bySchedule,
    type: PipelineScheduleVariable,
    description: `Deletes a variable of a pipeline schedule and returns it as it was. ${whoMayChange}`,
    args: variableArgs,
    resolve: (_root, { project, id, key }, ctx) => deleteScheduleVariable(project, id, key, ctx),
  }),
}));
