import type { GraphQLResolveInfo, GraphQLSchema } from 'graphql';

/**
 * Compiled documents hand resolvers their variables as graphql 16 did, one plain object; graphql 17,
 * which Pothos asks for arguments further down, wants `coerced` and `sources`. That object is the
 * same for everything one run resolves, so it is given both, once, and nothing is copied per field.
 */
function completeVariables({ variableValues }: GraphQLResolveInfo): void {
  if (Object.hasOwn(variableValues, 'coerced')) return;
  Object.defineProperties(variableValues, {
    coerced: { value: variableValues },
    sources: { value: {} },
  });
}

const adapted = new WeakSet<GraphQLSchema>();

/** Makes variables readable in both forms from where every run begins: the fields of the roots. */
export function adaptResolvers(schema: GraphQLSchema): void {
  if (adapted.has(schema)) return;
  adapted.add(schema);
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      const { resolve } = field;
      if (!resolve) continue;
      field.resolve = (parent, args, context, info) => {
        completeVariables(info);
        return resolve(parent, args, context, info);
      };
    }
  }
}
