import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';

/**
 * A URL notified of the events of a project or, as a system hook, of all projects (v4-behaviour
 * 3.9).
 */
export const WebHook = builder.prismaObject('WebHook', {
  fields: (t) => ({
    id: t.exposeInt('id'),
    /** Null: a system hook. */
    projectId: t.exposeInt('projectId', { nullable: true }),
    /** Without its username and password. */
    url: t.exposeString('url'),
    verifiesSsl: t.exposeBoolean('verifiesSsl'),
    onPush: t.exposeBoolean('onPush'),
    onTagPush: t.exposeBoolean('onTagPush'),
    onIssue: t.exposeBoolean('onIssue'),
    onConfidentialIssue: t.exposeBoolean('onConfidentialIssue'),
    onMergeRequest: t.exposeBoolean('onMergeRequest'),
    onNote: t.exposeBoolean('onNote'),
    onPipeline: t.exposeBoolean('onPipeline'),
    onJob: t.exposeBoolean('onJob'),
    onWikiPage: t.exposeBoolean('onWikiPage'),
    onRepositoryUpdate: t.exposeBoolean('onRepositoryUpdate'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

export const WebHookPage = pageType('WebHook', WebHook);

const DeliveryState = builder.enumType('DeliveryState', {
  values: ['pending', 'delivered', 'failed'] as const,
});

/** A webhook request, its response and whether it will be retried. */
export const HookDelivery = builder.prismaObject('HookDelivery', {
  fields: (t) => ({
    id: t.exposeInt('id'),
    event: t.exposeString('event'),
    state: t.expose('state', { type: DeliveryState }),
    /** The JSON that is sent. */
    requestBody: t.string({ resolve: ({ payload }) => JSON.stringify(payload) }),
    attempts: t.exposeInt('attempts'),
    /** The response to the last attempt, as all fields below; null without a response. */
    responseStatus: t.exposeInt('responseStatus', { nullable: true }),
    /** The beginning of the response body. */
    responseBody: t.exposeString('responseBody', { nullable: true }),
    /** Why there was no response. */
    error: t.exposeString('error', { nullable: true }),
    /** Milliseconds. */
    duration: t.exposeInt('duration', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    attemptedAt: t.expose('attemptedAt', { type: 'DateTime', nullable: true }),
  }),
});

export const HookDeliveryPage = pageType('HookDelivery', HookDelivery);
