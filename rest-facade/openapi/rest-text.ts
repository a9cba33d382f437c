import { type GraphQLSchema, isEnumType } from 'graphql';
import { snakeCase } from '../kernel/case.ts';

const enumValues = new WeakMap<GraphQLSchema, ReadonlySet<string>>();

/** The values of all enums of the core, whose texts name them as GraphQL does: in upper case. */
function valuesOf(schema: GraphQLSchema): ReadonlySet<string> {
  const existing = enumValues.get(schema);
  if (existing) return existing;
  const types = Object.values(schema.getTypeMap()).filter(isEnumType);
  const values = new Set(types.flatMap((type) => type.getValues().map(({ name }) => name)));
  enumValues.set(schema, values);
  return values;
}

/**
 * A text of the core as REST spells it: `startBranch` in backquotes → `start_branch`, and values of
 * enums in lower case.
 */
export function restText(text: string, schema: GraphQLSchema): string {
  const values = valuesOf(schema);
  return text.replace(/`[a-z]+[A-Z]\w*`/g, snakeCase).replace(/\b[A-Z][A-Z_]+\b/g, (word) => {
    const value = word.toLowerCase();
    return values.has(value) ? value : word;
  });
}
