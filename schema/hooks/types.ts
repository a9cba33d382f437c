import { builder } from '../kernel/builder.ts';
import { textCost } from '../kernel/cost.ts';
import { internal, publiclyTyped } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';

const sentOn = (what: string) => ({ description: `Whether it is notified of ${what}.` });

export const Hook = builder.prismaObject('WebHook', {
  name: 'Hook',
  description:
    'A URL that is notified of the events of a project or, as a system hook, of all projects. Only masters of the project see it, and only administrators a system hook.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The number of the webhook.' }),
    projectId: t.exposeInt('projectId', {
      nullable: true,
      extensions: internal,
      description: 'The id of its project; null for a system hook.',
    }),
    project: t.relation('project', {
      nullable: true,
      description: 'The project whose events are sent; null for a system hook.',
    }),
    url: t.expose('url', {
      type: 'URL',
      description: 'Where requests are sent, without the username and password of the URL.',
    }),
    enableSslVerification: t.exposeBoolean('verifiesSsl', {
      description: 'Whether requests fail if the TLS certificate of the URL is invalid.',
    }),
    pushEvents: t.exposeBoolean('onPush', sentOn('pushes to branches')),
    tagPushEvents: t.exposeBoolean('onTagPush', sentOn('new and deleted tags')),
    issuesEvents: t.exposeBoolean('onIssue', sentOn('changes of issues that are not confidential')),
    confidentialIssuesEvents: t.exposeBoolean(
      'onConfidentialIssue',
      sentOn('changes of confidential issues'),
    ),
    mergeRequestsEvents: t.exposeBoolean('onMergeRequest', sentOn('changes of merge requests')),
    noteEvents: t.exposeBoolean('onNote', sentOn('comments')),
    pipelineEvents: t.exposeBoolean('onPipeline', sentOn('status changes of pipelines')),
    jobEvents: t.exposeBoolean('onJob', sentOn('status changes of jobs')),
    wikiPageEvents: t.exposeBoolean('onWikiPage', sentOn('changes of wiki pages')),
    repositoryUpdateEvents: t.exposeBoolean('onRepositoryUpdate', {
      description:
        'Whether it is notified once of each push with all its branches and tags. System hooks only.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When it was created.',
    }),
  }),
});

export const HookPage = pageType('Hook', Hook);

const DeliveryState = builder.enumType('DeliveryState', {
  description: 'How far a delivery is.',
  values: {
    pending: { description: 'Not sent yet, or waiting for the next attempt.' },
    delivered: { description: 'Sent; the response had a successful status.' },
    failed: { description: 'Given up after the last attempt.' },
  },
});

builder.enumType('HookEvent', {
  description: 'An event of which webhooks are notified.',
  values: {
    push: { value: 'Push Hook', description: 'A push to a branch.' },
    tag_push: { value: 'Tag Push Hook', description: 'A new or deleted tag.' },
    issue: { value: 'Issue Hook', description: 'A change of an issue.' },
    confidential_issue: {
      value: 'Confidential Issue Hook',
      description: 'A change of a confidential issue.',
    },
    merge_request: { value: 'Merge Request Hook', description: 'A change of a merge request.' },
    note: { value: 'Note Hook', description: 'A comment.' },
    confidential_note: {
      value: 'Confidential Note Hook',
      description: 'A comment on a confidential issue.',
    },
    pipeline: { value: 'Pipeline Hook', description: 'A status change of a pipeline.' },
    job: { value: 'Job Hook', description: 'A status change of a job.' },
    wiki_page: { value: 'Wiki Page Hook', description: 'A change of a wiki page.' },
    repository_update: {
      value: 'Repository Update Hook',
      description: 'A push with all its branches and tags.',
    },
    system: { value: 'System Hook', description: 'Any event, sent to a system hook.' },
  },
});

export const HookDelivery = builder.prismaObject('HookDelivery', {
  description:
    'A webhook request with the response to its last attempt. Deliveries are kept for seven days.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The number of the delivery.' }),
    hook: t.relation('hook', { description: 'The webhook that it is sent to.' }),
    event: t.exposeString('event', {
      description: 'The event; requests name it in the header `X-Gitlab-Event`.',
      extensions: publiclyTyped('HookEvent'),
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
    duration: t.float({
      nullable: true,
      description: 'Seconds of the last attempt; null before the first.',
      resolve: ({ duration }) => duration && duration / 1000,
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
