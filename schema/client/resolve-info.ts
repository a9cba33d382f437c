import {
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
} from 'graphql';
import { sharedPath } from './shared-paths.ts';

/**
 * Compiled documents pass variables to resolvers as graphql 16 did, as one plain object; graphql
 * 17, which Pothos uses for nested arguments, needs `coerced` and `sources`. The object is shared
 * by all resolvers of one run, so both are added to it once and nothing is copied per field.
 */
function completeVariables({ variableValues }: GraphQLResolveInfo): void {
  if (Object.hasOwn(variableValues, 'coerced')) return;
  Object.defineProperties(variableValues, {
    coerced: { value: variableValues },
    sources: { value: {} },
  });
}

type Adapt = (info: GraphQLResolveInfo, context: object) => void;

function adaptFields(fields: ReturnType<typeof fieldsOf>, adapt: Adapt): void {
  for (const field of fields) {
    const { resolve } = field;
    if (!resolve) continue;
    field.resolve = (parent, args, context, info) => {
      adapt(info, context);
      return resolve(parent, args, context, info);
    };
  }
}

const fieldsOf = (schema: GraphQLSchema) =>
  Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()));

const adapted = new WeakSet<GraphQLSchema>();

/** Adapts the resolve info of compiled code to the interpreter's; idempotent. */
export function adaptResolvers(schema: GraphQLSchema): void {
  if (adapted.has(schema)) return;
  adapted.add(schema);
  // fields that load records, and those where Pothos checks whether they were loaded
  const loaded = fieldsOf(schema).filter(
    ({ type, extensions }) => extensions.pothosPrismaSelect || isCompositeType(getNamedType(type)),
  );
  adaptFields(loaded, (info, context) => {
    Object.assign(info, { path: sharedPath(info.path, context) });
  });
  // variables are completed at the root fields, where each run begins
  const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
    Object.values(root?.getFields() ?? {}),
  );
  adaptFields(roots, completeVariables);
}
