import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { heavyCost } from '../kernel/cost.ts';
import { done, orThrow } from '../kernel/results.ts';
import { recordById, storedRecord } from '../listing/records.ts';
import { Pipeline } from '../pipelines/types.ts';
import { createTrigger, deleteTrigger, lockTrigger, updateTrigger } from './change.ts';
import { triggerNotFound } from './find.ts';
import { byTrigger } from './node.ts';
import { runTrigger } from './run.ts';
import { Trigger } from './types.ts';

const project = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project.' }),
}));
const triggerArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project.' }),
  id: t.int({ required: true, description: 'The id of the trigger.' }),
}));

builder.mutationFields((t) => ({
  createTrigger: t.prismaField({
    type: Trigger,
    description:
      'Creates a trigger with a token, by which programs create pipelines in the name of the current user. Requires the access level MASTER or higher.',
    args: {
      ...project,
      description: t.arg.string({ required: true, description: 'What the trigger is for.' }),
    },
    resolve: async (query, _root, { project: place, description }, ctx) =>
      reload(query, await createTrigger(place, description, ctx), ctx),
  }),
  updateTrigger: t.prismaField({
    extensions: byTrigger,
    type: Trigger,
    description: 'Changes a trigger. Requires the access level MASTER or higher.',
    args: {
      ...triggerArgs,
      description: t.arg.string({
        description: 'What the trigger is for.',
      }),
    },
    resolve: async (query, _root, { project: place, id, description }, ctx) => {
      await updateTrigger(place, id, { description: description ?? undefined }, ctx);
      return reload(query, id, ctx);
    },
  }),
  takeTriggerOwnership: t.prismaField({
    extensions: byTrigger,
    type: Trigger,
    description:
      'Makes the current user the owner of a trigger, in whose name it creates pipelines. Requires the access level MASTER or higher.',
    args: triggerArgs,
    resolve: async (query, _root, { project: place, id }, ctx) => {
      await lockTrigger(place, id, ctx);
      return reload(query, id, ctx);
    },
  }),
  deleteTrigger: t.id({
    extensions: { ...byTrigger, identifies: 'Trigger' },
    description: 'Deletes a trigger. Requires the access level MASTER or higher.',
    args: triggerArgs,
    resolve: (_root, { project: place, id }, ctx) => done(deleteTrigger(place, id, ctx), id),
  }),
}));

const TriggerVariable = builder.inputType('TriggerVariable', {
  description: 'What the jobs of one pipeline find in their environment.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'The name: letters, digits and underscores.' }),
    value: t.string({ required: true, description: 'The value.' }),
  }),
});

builder.mutationField('runTrigger', (t) =>
  t.prismaField({
    type: Pipeline,
    description:
      'Creates a pipeline by the token of a trigger, in the name of its owner. The token is enough; the caller may be anonymous.',
    complexity: heavyCost,
    args: {
      ...project,
      token: t.arg.string({ required: true, description: 'The token of the trigger.' }),
      ref: t.arg.string({
        required: true,
        description: 'The name of a branch or tag, or the id of a commit.',
      }),
      variables: t.arg({
        type: [TriggerVariable],
        description: 'Variables for the jobs of the pipeline.',
      }),
    },
    resolve: async (query, _root, { project: place, variables, ...run }, ctx) => {
      const given = Object.fromEntries((variables ?? []).map(({ key, value }) => [key, value]));
      const id = await runTrigger(place, { ...run, variables: given }, ctx);
      return storedRecord(ctx, 'pipeline', id, query);
    },
  }),
);

const reload = (query: object, id: number, ctx: Context) =>
  orThrow(recordById(ctx, 'trigger', id, query), triggerNotFound);
