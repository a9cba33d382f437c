import { builder } from '../kernel/builder.ts';
import { textCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';

const sentOn = (what: string) => ({ description: `Whether it is notified of ${what}.` });

export const WebHook = builder.prismaObject('WebHook', {
  description:
    'A URL that is notified of the events of a project or, as a system hook, of all projects. Masters of the project only; administrators for system hooks.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The number of the hook.' }),
    projectId: t.exposeInt('projectId', {
      nullable: true,
      extensions: internal,
      description: 'The id of its project; null for a system hook.',
    }),
    project: t.relation('project', {
      nullable: true,
      description: 'The project whose events are sent; null for a system hook.',
    }),
    url: t.exposeString('url', {
      description: 'Where requests are sent, without the username and password of the URL.',
    }),
    verifiesSsl: t.exposeBoolean('verifiesSsl', {
      description: 'Whether requests fail if the TLS certificate of the URL is invalid.',
    }),
    onPush: t.exposeBoolean('onPush', sentOn('pushes to branches')),
    onTagPush: t.exposeBoolean('onTagPush', sentOn('new and deleted tags')),
    onIssue: t.exposeBoolean('onIssue', sentOn('changes of issues that are not confidential')),
    onConfidentialIssue: t.exposeBoolean(
      'onConfidentialIssue',
      sentOn('changes of confidential issues'),
    ),
    onMergeRequest: t.exposeBoolean('onMergeRequest', sentOn('changes of merge requests')),
    onNote: t.exposeBoolean('onNote', sentOn('comments')),
    onPipeline: t.exposeBoolean('onPipeline', sentOn('status changes of pipelines')),
    onJob: t.exposeBoolean('onJob', sentOn('status changes of jobs')),
    onWikiPage: t.exposeBoolean('onWikiPage', sentOn('changes of wiki pages')),
    onRepositoryUpdate: t.exposeBoolean('onRepositoryUpdate', {
      description:
        'Whether it is notified once of each push with all its branches and tags. System hooks only.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When it was created.',
    }),
  }),
});

export const WebHookPage = pageType('WebHook', WebHook);

const DeliveryState = builder.enumType('DeliveryState', {
  description: 'How far a delivery is.',
  values: {
    pending: { description: 'Not sent yet, or waiting for the next attempt.' },
    delivered: { description: 'Sent; the response had a successful status.' },
    failed: { description: 'Given up after the last attempt.' },
  },
});

export const HookDelivery = builder.prismaObject('HookDelivery', {
  description:
    'A webhook request with the response to its last attempt. Deliveries are kept for seven days.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The number of the delivery.' }),
    event: t.exposeString('event', {
      description: 'The event as in the header `X-Gitlab-Event`, such as `Push Hook`.',
    }),
    state: t.expose('state', { type: DeliveryState, description: 'The state of the delivery.' }),
    requestBody: t.string({
      complexity: textCost,
      description: 'The JSON that is sent.',
      resolve: ({ payload }) => JSON.stringify(payload),
    }),
    attempts: t.exposeInt('attempts', { description: 'How often it was sent.' }),
    responseStatus: t.exposeInt('responseStatus', {
      nullable: true,
      description: 'The HTTP status of the response; null without a response.',
    }),
    responseBody: t.exposeString('responseBody', {
      nullable: true,
      description: 'The beginning of the response body; null without a response.',
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why there was no response; null if there was one.',
    }),
    duration: t.exposeInt('duration', {
      nullable: true,
      description: 'Milliseconds of the last attempt; null before the first.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the event happened or, if sent again, when a user requested that.',
    }),
    attemptedAt: t.expose('attemptedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the last attempt began; null before the first.',
    }),
  }),
});

export const HookDeliveryPage = pageType('HookDelivery', HookDelivery);
