import type { z } from 'zod';
import { type ResponseParts, responseSchema } from './json-schema.ts';

/** A kind of webhook as the document describes it. */
export interface DocumentedWebhook {
  readonly payload: z.ZodType;
  /** The values of `X-Gitlab-Event` for hooks of projects. */
  readonly events: readonly string[];
}

const header = (name: string, description: string, schema: object, required = false) => ({
  name,
  in: 'header',
  description,
  required,
  schema,
});

/** The requests that Millrace sends to webhooks, by name: the `webhooks` of an OpenAPI document. */
export const webhooksOf = (
  kinds: Readonly<Record<string, DocumentedWebhook>>,
  parts: ResponseParts,
) =>
  Object.fromEntries(
    Object.entries(kinds).map(([name, { payload, events }]) => [
      name,
      {
        post: {
          operationId: `${name}Webhook`,
          summary: payload.description,
          tags: ['Webhooks'],
          security: [],
          parameters: [
            header(
              'X-Gitlab-Event',
              'The event; system hooks always get `System Hook`.',
              { type: 'string', enum: [...new Set([...events, 'System Hook'])] },
              true,
            ),
            header('X-Gitlab-Token', 'The token of the hook, if it has one.', { type: 'string' }),
          ],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: responseSchema(payload, parts) } },
          },
          responses: {
            '2XX': { description: 'The delivery succeeded.' },
            '4XX': { description: 'The delivery failed; 408 and 429 are retried.' },
            '5XX': { description: 'The delivery is retried.' },
          },
        },
      },
    ]),
  );
