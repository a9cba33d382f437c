import type { GraphQLSchema } from 'graphql';
import { z } from 'zod';
import type { JsonSchema } from '../kernel/marks.ts';
import { type Selected, selectionOf } from '../kernel/shape.ts';
import type { Components } from './components.ts';
import { selectionSchemas } from './selection.ts';

type Json = Record<string, unknown>;

/** zod checks dates with long patterns, which `format` says more shortly. */
const useFormats = (jsonSchema: Json) => {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};

/** `text('…').nullable()` has its description at the choice that is not null. */
const liftDescription = (jsonSchema: Json) => {
  const choices = (jsonSchema.anyOf ?? []) as { description?: string }[];
  const described = choices.find(({ description }) => description !== undefined);
  if (!described || jsonSchema.description !== undefined) return;
  jsonSchema.description = described.description;
  delete described.description;
};

export interface ResponseParts {
  readonly schema: GraphQLSchema;
  readonly components: Components;
}

/** The JSON of a fragment, with its differences, as a component. */
function selectedSchema(type: unknown, parts: ResponseParts): JsonSchema | null {
  const selection = selectionOf(type);
  if (!selection) return null;
  const { fragment, name } = selection;
  if (name === undefined) {
    return selectionSchemas(fragment, parts.schema, parts.components).component();
  }
  parts.components[name] ??= changedSchema(selection, parts);
  return { $ref: `#/components/schemas/${name}` };
}

interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** What a fragment selects, without some fields and with others. */
function changedSchema(
  { fragment, without = [], fields = {} }: Selected,
  parts: ResponseParts,
): JsonSchema {
  const isReplaced = (key: string) => without.includes(key) || key in fields;
  const kept = selectionSchemas(fragment, parts.schema, parts.components).object(isReplaced);
  const { properties, required = [] } = kept as ObjectSchema;
  const own = zodSchema(z.strictObject(fields), parts) as ObjectSchema;
  return {
    type: 'object',
    properties: { ...properties, ...own.properties },
    required: [...required, ...(own.required ?? [])],
    additionalProperties: false,
  };
}

const keysOf = (schema: JsonSchema) => Object.keys(schema.properties ?? {}).join();

/** Two shapes must not have one name. */
function addComponent(components: Components, name: string, component: JsonSchema): void {
  const existing = components[name];
  if (existing && keysOf(existing) !== keysOf(component)) {
    throw new Error(`two different shapes are called ${name}`);
  }
  components[name] ??= component;
}

function zodSchema(type: z.ZodType, parts: ResponseParts): JsonSchema {
  const {
    $schema: _,
    $defs,
    ...schema
  } = z.toJSONSchema(type, {
    unrepresentable: 'any',
    override: ({ zodSchema: part, jsonSchema }) => {
      useFormats(jsonSchema);
      liftDescription(jsonSchema);
      Object.assign(jsonSchema, selectedSchema(part, parts));
    },
  }) as Json;
  const located = JSON.stringify({ schema, components: $defs ?? {} });
  const parsed = JSON.parse(located.replaceAll('"#/$defs/', '"#/components/schemas/'));
  for (const [name, component] of Object.entries(parsed.components as Components)) {
    addComponent(parts.components, name, component);
  }
  return parsed.schema;
}

/** The JSON Schema of a response; its named parts are added to the components. */
export const responseSchema = (type: z.ZodType, parts: ResponseParts): JsonSchema => {
  const { response } = zodSchema(z.object({ response: type }), parts).properties as {
    readonly response: JsonSchema;
  };
  return response;
};
