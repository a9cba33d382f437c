import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { given } from '../kernel/given.ts';
import { done } from '../kernel/results.ts';
import { createHook, deleteHook, type HookFlags, updateHook } from './change.ts';
import { resendDelivery, sendTestPayload, testPayload } from './deliveries.ts';
import { findHook, findHookOwner } from './find.ts';
import { HookDelivery, WebHook } from './types.ts';

/** Omitted: the hooks of the instance, for administrators. */
const owner = builder.args((t) => ({
  project: t.id({
    description: 'The id or full path of the project; null for a system hook, for administrators.',
  }),
}));

const hookArgs = builder.args((t) => ({
  id: t.int({
    required: true,
    description: 'The id of the webhook.',
  }),
}));

const HookSettingsInput = builder.inputType('HookSettings', {
  description: 'The settings of a webhook. Omitted ones stay unchanged.',
  fields: (t) => ({
    url: t.string({
      required: true,
      description: 'The HTTP or HTTPS URL that receives the payloads.',
    }),
    token: t.string({
      description: 'A secret sent as `X-Gitlab-Token`; null or an empty text removes it.',
    }),
    verifiesSsl: t.boolean({
      description:
        'Whether the certificate of the receiver is verified. Default of a new hook: true.',
    }),
    onPush: t.boolean({ description: 'Whether pushes are sent. Default of a new hook: true.' }),
    onTagPush: t.boolean({ description: 'Whether pushes of tags are sent.' }),
    onIssue: t.boolean({ description: 'Whether changes of issues are sent.' }),
    onConfidentialIssue: t.boolean({
      description: 'Whether changes of confidential issues are sent.',
    }),
    onMergeRequest: t.boolean({ description: 'Whether changes of merge requests are sent.' }),
    onNote: t.boolean({ description: 'Whether new notes are sent.' }),
    onPipeline: t.boolean({ description: 'Whether changes of the status of pipelines are sent.' }),
    onJob: t.boolean({ description: 'Whether changes of the status of jobs are sent.' }),
    onWikiPage: t.boolean({ description: 'Whether changes of wiki pages are sent.' }),
    onRepositoryUpdate: t.boolean({
      description: 'Whether changes of a repository are sent once per push. System hooks only.',
    }),
  }),
});

const settingsOf = ({ url, token, ...flags }: typeof HookSettingsInput.$inferInput) => ({
  url,
  ...(token !== undefined && { token: token ?? '' }),
  ...(given(flags) as HookFlags),
});

const settings = builder.args((t) => ({
  settings: t.field({
    type: HookSettingsInput,
    required: true,
    description: 'The settings of the hook; absent ones stay as they are.',
  }),
}));

builder.mutationFields((t) => ({
  createHook: t.prismaField({
    type: WebHook,
    extensions: { payload: 'hook' },
    description:
      'Creates a webhook of a project, for its masters, or a system hook, for administrators.',
    args: { ...owner, ...settings },
    resolve: async (query, _root, { project, settings: input }, ctx) => {
      const id = await createHook(await findHookOwner(project, ctx), settingsOf(input), ctx);
      return ctx.db.webHook.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  updateHook: t.prismaField({
    type: WebHook,
    extensions: { payload: 'hook' },
    description:
      'Changes a webhook. Another URL deletes the token unless it is given again. Masters; administrators for system hooks.',
    args: { ...owner, ...hookArgs, ...settings },
    resolve: async (query, _root, { project, id, settings: input }, ctx) => {
      await updateHook(await findHookOwner(project, ctx), id, settingsOf(input), ctx);
      return ctx.db.webHook.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  deleteHook: t.id({
    extensions: { identifies: 'WebHook' },
    description: 'Deletes a webhook with its deliveries. Masters; administrators for system hooks.',
    args: { ...owner, ...hookArgs },
    resolve: async (_root, { project, id }, ctx) =>
      done(deleteHook(await findHookOwner(project, ctx), id, ctx), id),
  }),
  testHook: t.string({
    extensions: {
      identifies: 'WebHook',
      payload: 'requestBody',
      payloadDescription: 'The body of the request that was sent, as JSON.',
    },
    description:
      'Sends a sample payload to a system hook and returns its JSON. Administrators only.',
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
    description:
      'Sends the payload of an ended delivery again. Masters; administrators for system hooks.',
    args: {
      ...owner,
      id: t.arg.int({ required: true, description: 'The id of the delivery to send again.' }),
    },
    resolve: async (query, _root, { project, id: deliveryId }, ctx) => {
      const id = await resendDelivery(await findHookOwner(project, ctx), deliveryId, ctx);
      return ctx.db.hookDelivery.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
}));
