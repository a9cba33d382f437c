import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { heavyCost } from '../kernel/cost.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { done, orThrow } from '../kernel/results.ts';
import { Pipeline } from '../pipelines/types.ts';
import { createTrigger, deleteTrigger, lockTrigger, updateTrigger } from './change.ts';
import { triggerNotFound } from './find.ts';
import { runTrigger } from './run.ts';
import { Trigger } from './types.ts';

const project = builder.args((t) => ({ project: t.id({ required: true }) }));
const triggerArgs = builder.args((t) => ({
  project: t.id({ required: true }),
  id: t.int({ required: true }),
}));

builder.mutationFields((t) => ({
  createTrigger: t.prismaField({
    type: Trigger,
    args: { ...project, description: t.arg.string({ required: true }) },
    resolve: async (query, _root, { project: place, description }, ctx) =>
      reload(query, await createTrigger(place, description, ctx), ctx),
  }),
  updateTrigger: t.prismaField({
    type: Trigger,
    description: 'What is left out stays as it is.',
    args: { ...triggerArgs, description: t.arg.string() },
    resolve: async (query, _root, { project: place, id, description }, ctx) => {
      await updateTrigger(place, id, { description: description ?? undefined }, ctx);
      return reload(query, id, ctx);
    },
  }),
  takeTrigger: t.prismaField({
    type: Trigger,
    description: "It acts in the viewer's name from now on.",
    args: triggerArgs,
    resolve: async (query, _root, { project: place, id }, ctx) => {
      await lockTrigger(place, id, ctx);
      return reload(query, id, ctx);
    },
  }),
  deleteTrigger: t.boolean({
    args: triggerArgs,
    resolve: (_root, { project: place, id }, ctx) => done(deleteTrigger(place, id, ctx)),
  }),
}));

const TriggerVariable = builder.inputType('TriggerVariable', {
  description: 'What the jobs of one pipeline find in their environment.',
  fields: (t) => ({
    key: t.string({ required: true }),
    value: t.string({ required: true }),
  }),
});

builder.mutationField('runTrigger', (t) =>
  t.prismaField({
    type: Pipeline,
    description: "Makes a pipeline by a trigger's token, in its owner's name.",
    complexity: heavyCost,
    args: {
      ...project,
      token: t.arg.string({ required: true }),
      /** A branch, a tag, also by its full name, or a commit's id. */
      ref: t.arg.string({ required: true }),
      variables: t.arg({ type: [TriggerVariable] }),
    },
    resolve: async (query, _root, { project: place, variables, ...run }, ctx) => {
      const given = Object.fromEntries((variables ?? []).map(({ key, value }) => [key, value]));
      const id = await runTrigger(place, { ...run, variables: given }, ctx);
      return orThrow(ctx.db.pipeline.findUnique({ ...query, where: { id } }), recordNotFound);
    },
  }),
);

async function reload(query: object, id: number, { db }: Context) {
  return orThrow(db.trigger.findUnique({ ...query, where: { id } }), triggerNotFound);
}
