import { z } from 'zod';
import { type JsonSchema, jsonTypes } from './marks.ts';

type Json = Record<string, unknown>;

/** The reader of a parameter, without what says that it may be absent, null or default. */
function innermost(field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable) {
    return innermost(field.unwrap() as z.ZodType);
  }
  if (field instanceof z.ZodDefault) return innermost(field.unwrap() as z.ZodType);
  return field instanceof z.ZodPipe ? innermost(field.in as z.ZodType) : field;
}

/** Whether null is a value of a parameter. */
const isNullable = (field: z.ZodType): boolean => {
  if (field instanceof z.ZodNullable) return true;
  const isWrapped = field instanceof z.ZodOptional || field instanceof z.ZodDefault;
  return isWrapped && isNullable(field.unwrap() as z.ZodType);
};

const describeKind = ({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: Json }) => {
  const { def } = (zodSchema as z.ZodType)._zod;
  if (def.type !== 'transform') return;
  Object.assign(jsonSchema, jsonTypes.get((def as z.core.$ZodTransformDef).transform));
};

/** The first description of a parameter: that of the whole, or of a part. */
export const descriptionOf = (field: z.ZodType): string | undefined => {
  if (field.description !== undefined) return field.description;
  const inner = 'unwrap' in field ? (field as z.ZodOptional).unwrap() : undefined;
  const next = inner ?? (field instanceof z.ZodPipe ? field.in : undefined);
  return next && descriptionOf(next as z.ZodType);
};

/** The values of a parameter. */
export function parameterSchema(field: z.ZodType): JsonSchema {
  const {
    $schema: _,
    description: __,
    ...schema
  } = z.toJSONSchema(innermost(field), {
    io: 'input',
    unrepresentable: 'any',
    override: describeKind,
  }) as Json;
  if (!isNullable(field)) return schema;
  return typeof schema.type === 'string'
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
}

/** The parameters of a schema, by name. */
export const fieldsOf = (params: z.ZodType): Readonly<Record<string, z.ZodType>> =>
  params instanceof z.ZodObject ? (params.shape as Record<string, z.ZodType>) : {};

/** Whether a parameter must be given. */
export const isRequired = (field: z.ZodType): boolean =>
  !(field instanceof z.ZodOptional || field instanceof z.ZodDefault);
