import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { type WebhookKind, webhookKinds } from '../../schema/hook-payloads/index.ts';

/** The document with the tables of all payloads. */
export const webhookDocument = 'docs/webhooks.md';

const heading = '## Payloads\n';

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly description?: string;
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const kinds: readonly WebhookKind[] = Object.values(webhookKinds);

const nameIn = ($ref: string) => $ref.replace('#/$defs/', '');

const link = (name: string) => `[${name}](#${name.toLowerCase()})`;

const literals = (values: readonly unknown[]) =>
  values
    .map((value) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``)
    .join(', ');

function typeOf(schema: Schema): string {
  const { $ref, anyOf, items, type, format, additionalProperties } = schema;
  if ($ref) return link(nameIn($ref));
  if (anyOf) {
    if (anyOf.every((one) => one.const !== undefined)) {
      return literals(anyOf.map((one) => one.const));
    }
    return anyOf.map(typeOf).join(' or ');
  }
  if (schema.const !== undefined) return literals([schema.const]);
  if (schema.enum) return literals(schema.enum);
  if (items) return `list of ${typeOf(items)}`;
  if (typeof additionalProperties === 'object') return `map of ${typeOf(additionalProperties)}`;
  return format ?? type ?? 'any value';
}

const meaningOf = (schema: Schema): string =>
  schema.description ?? schema.anyOf?.find(({ description }) => description)?.description ?? '';

/** The rows of a table; the fields of objects without a name follow their object. */
function rowsOf(schema: Schema, prefix = ''): readonly string[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, field]) => {
    const optional = required.includes(name) ? '' : ', optional';
    return [
      `| \`${prefix}${name}\` | ${typeOf(field)}${optional} | ${meaningOf(field)} |`,
      ...rowsOf(field, `${prefix}${name}.`),
    ];
  });
}

function sectionOf(name: string, schema: Schema): string {
  const kind = kinds.find(({ payload }) => payload.meta()?.id === name);
  const events = kind ? ` \`X-Gitlab-Event\`: ${literals(kind.events)}.` : '';
  return [
    `### ${name}`,
    '',
    `${schema.description}${events}`,
    '',
    '| field | type | meaning |',
    '|---|---|---|',
    ...rowsOf(schema),
  ].join('\n');
}

/** `docs/webhooks.md` with its tables of payloads as they should be. */
export function webhookDocumentText(): string {
  const [before = ''] = readFileSync(webhookDocument, 'utf8').split(`\n${heading}`);
  const [first, ...others] = kinds.map(({ payload }) => payload);
  const { $defs } = z.toJSONSchema(z.union([first, ...others] as [z.ZodType]));
  const sections = Object.entries($defs ?? {}).map(([name, schema]) =>
    sectionOf(name, schema as Schema),
  );
  const introduction = `Written by \`node test/support/webhook-payloads.ts\`. Each is a JSON Schema of \`components.schemas\` in the
OpenAPI document, \`/api/v4/openapi.json\`, whose \`webhooks\` name the payload of each event. All fields are sent but those
that are optional.`;
  return `${before}\n${heading}\n${introduction}\n\n${sections.join('\n\n')}\n`;
}

if (import.meta.main) writeFileSync(webhookDocument, webhookDocumentText());
