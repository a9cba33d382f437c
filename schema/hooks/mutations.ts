import { builder, type InputFields } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { given } from '../kernel/given.ts';
import { endingWith, publiclyTyped } from '../kernel/public.ts';
import { done } from '../kernel/results.ts';
import { storedRecord } from '../listing/records.ts';
import { createHook, deleteHook, type HookFlags, updateHook } from './change.ts';
import { resendDelivery, sendTestPayload, testPayload } from './deliveries.ts';
import { findHook, findHookOwner } from './find.ts';
import { byDelivery, byHook } from './node.ts';
import { Hook, HookDelivery } from './types.ts';

/** Omitted: the hooks of the instance, for administrators. */
const owner = builder.args((t) => ({
  project: t.id({
    description: 'The project; null for a system hook, for administrators.',
  }),
}));

const hookArgs = builder.args((t) => ({
  id: t.int({
    required: true,
    description: 'The id of the webhook.',
  }),
}));

const details = (t: InputFields) => ({
  token: t.string({
    description: 'A secret sent as `X-Gitlab-Token`.',
    extensions: endingWith({ updating: 'Null or an empty text removes it.' }),
  }),
  enableSslVerification: t.boolean({
    description: 'Whether the certificate of the receiver is verified.',
    extensions: endingWith({ creating: 'Default: true.' }),
  }),
  pushEvents: t.boolean({
    description: 'Whether pushes are sent.',
    extensions: endingWith({ creating: 'Default: true.' }),
  }),
  tagPushEvents: t.boolean({ description: 'Whether pushes of tags are sent.' }),
  issuesEvents: t.boolean({ description: 'Whether changes of issues are sent.' }),
  confidentialIssuesEvents: t.boolean({
    description: 'Whether changes of confidential issues are sent.',
  }),
  mergeRequestsEvents: t.boolean({ description: 'Whether changes of merge requests are sent.' }),
  noteEvents: t.boolean({ description: 'Whether new notes are sent.' }),
  pipelineEvents: t.boolean({
    description: 'Whether changes of the status of pipelines are sent.',
  }),
  jobEvents: t.boolean({ description: 'Whether changes of the status of jobs are sent.' }),
  wikiPageEvents: t.boolean({ description: 'Whether changes of wiki pages are sent.' }),
  repositoryUpdateEvents: t.boolean({
    description: 'Whether changes of a repository are sent once per push. System hooks only.',
  }),
});

const url = {
  description: 'The HTTP or HTTPS URL that receives the payloads.',
  extensions: publiclyTyped('URL'),
} as const;

const NewHookInput = builder.inputType('NewHook', {
  fields: (t) => ({ ...details(t), url: t.string({ ...url, required: true }) }),
});

const HookChangeInput = builder.inputType('HookChange', {
  fields: (t) => ({ ...details(t), url: t.string(url) }),
});

const settingsOf = ({ token, ...flags }: Omit<typeof HookChangeInput.$inferInput, 'url'>) => ({
  ...(token !== undefined && { token: token ?? '' }),
  ...(given({
    verifiesSsl: flags.enableSslVerification,
    onPush: flags.pushEvents,
    onTagPush: flags.tagPushEvents,
    onIssue: flags.issuesEvents,
    onConfidentialIssue: flags.confidentialIssuesEvents,
    onMergeRequest: flags.mergeRequestsEvents,
    onNote: flags.noteEvents,
    onPipeline: flags.pipelineEvents,
    onJob: flags.jobEvents,
    onWikiPage: flags.wikiPageEvents,
    onRepositoryUpdate: flags.repositoryUpdateEvents,
  }) as HookFlags),
});

builder.mutationFields((t) => ({
  createHook: t.prismaField({
    type: Hook,
    extensions: { payload: 'hook' },
    description:
      'Creates a webhook of a project, for its masters, or a system hook, for administrators.',
    args: {
      ...owner,
      hook: t.arg({ type: NewHookInput, required: true, description: 'The webhook.' }),
    },
    resolve: async (query, _root, { project, hook: { url, ...settings } }, ctx) => {
      const hook = { url, ...settingsOf(settings) };
      const id = await createHook(await findHookOwner(project, ctx), hook, ctx);
      return storedRecord(ctx, 'webHook', id, query);
    },
  }),
  updateHook: t.prismaField({
    type: Hook,
    extensions: { ...byHook, payload: 'hook' },
    description:
      'Changes a webhook; absent fields stay as they are. Another URL deletes the token unless it is given again. Requires the access level MASTER, and an administrator for a system hook.',
    args: {
      ...owner,
      ...hookArgs,
      change: t.arg({ type: HookChangeInput, required: true, description: 'What changes.' }),
    },
    resolve: async (query, _root, { project, id, change: { url, ...settings } }, ctx) => {
      const change = { ...given({ url }), ...settingsOf(settings) };
      await updateHook(await findHookOwner(project, ctx), id, change, ctx);
      return storedRecord(ctx, 'webHook', id, query);
    },
  }),
  deleteHook: t.id({
    extensions: { ...byHook, identifies: 'Hook' },
    description:
      'Deletes a webhook with its deliveries. Requires the access level MASTER, and an administrator for a system hook.',
    args: { ...owner, ...hookArgs },
    resolve: async (_root, { project, id }, ctx) =>
      done(deleteHook(await findHookOwner(project, ctx), id, ctx), id),
  }),
  testHook: t.string({
    extensions: {
      identifies: 'Hook',
      payload: 'requestBody',
      payloadDescription: 'The body of the request that was sent, as JSON.',
    },
    description:
      'Sends a sample payload to a system hook and returns its JSON. Requires an administrator.',
    complexity: heavyCost,
    args: hookArgs,
    resolve: async (_root, { id }, ctx) => {
      await findHook(await findHookOwner(null, ctx), id, ctx);
      await sendTestPayload(id, ctx);
      return JSON.stringify(testPayload);
    },
  }),
  resendHookDelivery: t.prismaField({
    extensions: byDelivery,
    type: HookDelivery,
    description:
      'Sends the payload of an ended delivery again. Requires the access level MASTER, and an administrator for a system hook.',
    args: {
      ...owner,
      id: t.arg.int({ required: true, description: 'The id of the delivery to send again.' }),
    },
    resolve: async (query, _root, { project, id: deliveryId }, ctx) => {
      const id = await resendDelivery(await findHookOwner(project, ctx), deliveryId, ctx);
      return storedRecord(ctx, 'hookDelivery', id, query);
    },
  }),
}));
