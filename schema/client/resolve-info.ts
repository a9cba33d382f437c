import {
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
} from 'graphql';
import { sharedPath } from './shared-paths.ts';

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

/** Makes what compiled code tells resolvers of a place what the interpreter tells; once is enough. */
export function adaptResolvers(schema: GraphQLSchema): void {
  if (adapted.has(schema)) return;
  adapted.add(schema);
  // where records are loaded, and where Pothos looks whether they were
  const loaded = fieldsOf(schema).filter(
    ({ type, extensions }) => extensions.pothosPrismaSelect || isCompositeType(getNamedType(type)),
  );
  adaptFields(loaded, (info, context) => {
    Object.assign(info, { path: sharedPath(info.path, context) });
  });
  // variables are completed where every run begins
  const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
    Object.values(root?.getFields() ?? {}),
  );
  adaptFields(roots, completeVariables);
}
