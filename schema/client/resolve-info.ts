import { type GraphQLResolveInfo, type GraphQLSchema, isObjectType } from 'graphql';

type Values = GraphQLResolveInfo['variableValues'];

const known = new WeakMap<object, Values>();

/**
 * Compiled documents hand resolvers their variables as graphql 16 did, one plain object; graphql 17,
 * which Pothos asks for arguments further down, wants them beside their sources.
 */
function current(info: GraphQLResolveInfo): GraphQLResolveInfo {
  const { variableValues } = info;
  if ('coerced' in variableValues && 'sources' in variableValues) return info;
  let values = known.get(variableValues);
  if (!values) {
    values = { sources: {}, coerced: variableValues } as Values;
    known.set(variableValues, values);
  }
  return { ...info, variableValues: values };
}

const adapted = new WeakSet<GraphQLSchema>();

/** Makes every resolver of `schema` understand both forms of variables; once is enough. */
export function adaptResolvers(schema: GraphQLSchema): void {
  if (adapted.has(schema)) return;
  adapted.add(schema);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      // a resolver of fewer parameters never looks at them
      if (!resolve || resolve.length < 4) continue;
      field.resolve = (parent, args, context, info) =>
        resolve(parent, args, context, current(info));
    }
  }
}
