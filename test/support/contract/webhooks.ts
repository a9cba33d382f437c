import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { Database } from '../../../prisma/client.ts';
import { errorText, schemasOf } from './schemas.ts';
import { contractVariable } from './variable.ts';

/** A webhook as it was sent, or as it waits to be sent. */
export interface SentWebhook {
  /** The value of `X-Gitlab-Event`. */
  readonly event: string;
  readonly payload: unknown;
}

interface DocumentedWebhook {
  readonly post: { readonly parameters: readonly { readonly schema: { enum?: string[] } }[] };
}

interface Described {
  readonly events: readonly string[];
  readonly validate: ValidateFunction;
}

let described: readonly Described[] | null = null;

function readWebhooks(): readonly Described[] {
  const document = JSON.parse(readFileSync(process.env[contractVariable] ?? '', 'utf8'));
  const ajv = schemasOf(document);
  const webhooks: Readonly<Record<string, DocumentedWebhook>> = document.webhooks;
  return Object.entries(webhooks).map(([name, { post }]) => {
    const body = `webhooks/${name}/post/requestBody/content/application~1json/schema`;
    return {
      events: post.parameters.flatMap(({ schema }) => schema.enum ?? []),
      validate: ajv.compile({ $ref: `openapi#/${body}` }),
    };
  });
}

/** What of a webhook the OpenAPI document does not describe; empty if it describes everything. */
function violationsOf({ event, payload }: SentWebhook): readonly string[] {
  described ??= readWebhooks();
  const candidates = described.filter(({ events }) => events.includes(event));
  if (candidates.length === 0) return [`${event}: undocumented`];
  let fewest: readonly string[] | null = null;
  for (const { validate } of candidates) {
    if (validate(payload)) return [];
    const errors = (validate.errors ?? []).map((error) => `${event}: ${errorText(error)}`);
    if (!fewest || errors.length < fewest.length) fewest = errors;
  }
  return fewest ?? [];
}

/** Expects that the OpenAPI document describes these webhooks. */
export const expectDocumented = (webhooks: readonly SentWebhook[]): void =>
  expect(
    [...new Set(webhooks.flatMap(violationsOf))],
    'webhooks that the OpenAPI document does not describe',
  ).toEqual([]);

/** The webhooks that a server has stored. */
export const storedWebhooks = (db: Database): Promise<readonly SentWebhook[]> =>
  db.hookDelivery.findMany({ select: { event: true, payload: true } });
