import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { given } from '../kernel/given.ts';
import { done } from '../kernel/results.ts';
import { createHook, deleteHook, type HookFlags, updateHook } from './change.ts';
import { resendDelivery, sendTestPayload, testPayload } from './deliveries.ts';
import { findHook, findHookOwner } from './find.ts';
import { HookDelivery, WebHook } from './types.ts';

/** Omitted: the hooks of the instance, for administrators. */
const owner = builder.args((t) => ({ project: t.id() }));

const hookArgs = builder.args((t) => ({ id: t.int({ required: true }) }));

const HookSettingsInput = builder.inputType('HookSettings', {
  description: 'What is left out stays as it is.',
  fields: (t) => ({
    url: t.string({ required: true }),
    /** Sent with each request; '' or null removes it. */
    token: t.string(),
    verifiesSsl: t.boolean(),
    onPush: t.boolean(),
    onTagPush: t.boolean(),
    onIssue: t.boolean(),
    onConfidentialIssue: t.boolean(),
    onMergeRequest: t.boolean(),
    onNote: t.boolean(),
    onPipeline: t.boolean(),
    onJob: t.boolean(),
    onWikiPage: t.boolean(),
    onRepositoryUpdate: t.boolean(),
  }),
});

const settingsOf = ({ url, token, ...flags }: typeof HookSettingsInput.$inferInput) => ({
  url,
  ...(token !== undefined && { token: token ?? '' }),
  ...(given(flags) as HookFlags),
});

const settings = builder.args((t) => ({
  settings: t.field({ type: HookSettingsInput, required: true }),
}));

builder.mutationFields((t) => ({
  createHook: t.prismaField({
    type: WebHook,
    args: { ...owner, ...settings },
    resolve: async (query, _root, { project, settings: input }, ctx) => {
      const id = await createHook(await findHookOwner(project, ctx), settingsOf(input), ctx);
      return ctx.db.webHook.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  updateHook: t.prismaField({
    type: WebHook,
    args: { ...owner, ...hookArgs, ...settings },
    resolve: async (query, _root, { project, id, settings: input }, ctx) => {
      await updateHook(await findHookOwner(project, ctx), id, settingsOf(input), ctx);
      return ctx.db.webHook.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  deleteHook: t.boolean({
    args: { ...owner, ...hookArgs },
    resolve: async (_root, { project, id }, ctx) =>
      done(deleteHook(await findHookOwner(project, ctx), id, ctx)),
  }),
  testHook: t.string({
    description: 'Sends a system hook a sample, whose JSON it gives.',
    complexity: heavyCost,
    args: hookArgs,
    resolve: async (_root, { id }, ctx) => {
      await findHook(await findHookOwner(null, ctx), id, ctx);
      await sendTestPayload(id, ctx);
      return JSON.stringify(testPayload);
    },
  }),
  resendHookDelivery: t.prismaField({
    type: HookDelivery,
    description: 'Sends once more, as it was, what has been delivered or has failed.',
    args: { ...owner, ...hookArgs },
    resolve: async (query, _root, { project, id: deliveryId }, ctx) => {
      const id = await resendDelivery(await findHookOwner(project, ctx), deliveryId, ctx);
      return ctx.db.hookDelivery.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
}));
