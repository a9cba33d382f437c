import type { z } from 'zod';
import { issue } from './issue.ts';
import { mergeRequest } from './merge-request.ts';
import { note } from './note.ts';
import { job, pipeline } from './pipeline.ts';
import { push, repositoryUpdate, tagPush } from './push.ts';
import { systemHookTest } from './system-hook-test.ts';
import { wikiPage } from './wiki-page.ts';

/** A kind of webhook. */
export interface WebhookKind {
  readonly payload: z.ZodType;
  /** The values of `X-Gitlab-Event`; system hooks always get `System Hook`. */
  readonly events: readonly string[];
}

/** The kinds of webhooks with their payloads, by the names that the OpenAPI document gives them. */
export const webhookKinds = {
  push: { payload: push, events: ['Push Hook'] },
  tagPush: { payload: tagPush, events: ['Tag Push Hook'] },
  repositoryUpdate: {
    payload: repositoryUpdate,
    events: ['Repository Update Hook'],
  },
  issue: {
    payload: issue,
    events: ['Issue Hook', 'Confidential Issue Hook'],
  },
  mergeRequest: {
    payload: mergeRequest,
    events: ['Merge Request Hook'],
  },
  note: {
    payload: note,
    events: ['Note Hook', 'Confidential Note Hook'],
  },
  wikiPage: { payload: wikiPage, events: ['Wiki Page Hook'] },
  pipeline: { payload: pipeline, events: ['Pipeline Hook'] },
  job: { payload: job, events: ['Job Hook'] },
  systemHookTest: { payload: systemHookTest, events: ['System Hook'] },
} as const satisfies Readonly<Record<string, WebhookKind>>;

type Kinds = (typeof webhookKinds)[keyof typeof webhookKinds];

/** The event of a delivery, as in `X-Gitlab-Event`. */
export type WebhookEvent = Kinds['events'][number];

/** The payload of an event; the compiler compares what is sent with the published schemas. */
export type WebhookPayload = z.infer<Kinds['payload']>;
