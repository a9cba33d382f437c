import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
} from 'graphql';
import { statementCost } from '../kernel/cost.ts';
import { ifVisible } from '../kernel/results.ts';

type Field = GraphQLFieldConfig<unknown, object>;
type Arguments = Readonly<Record<string, unknown>>;
type Payload = Readonly<Record<string, unknown>>;

/** The fields of the core's `Query` that find what an argument identifies, and the argument of each. */
const finders = {
  project: { field: 'project', reference: String },
  group: { field: 'group', reference: String },
  user: { field: 'userById', reference: Number },
} as const;

type Parent = keyof typeof finders;

/** A parent, and the names that lead to its reference in the arguments. */
interface ParentArgument {
  readonly parent: Parent;
  readonly path: readonly string[];
}

/** The parents that arguments identify, as `project`, `groupId`, or one of several in `source`. */
function parentArgumentsOf(args: GraphQLFieldConfigArgumentMap): ParentArgument[] {
  return Object.entries(args).flatMap(([name, { type }]): ParentArgument[] => {
    const stem = name.replace(/Id$/, '');
    if (Object.hasOwn(finders, stem)) return [{ parent: stem as Parent, path: [name] }];
    const named = getNamedType(type);
    if (!isInputObjectType(named) || !named.isOneOf) return [];
    const choices = parentArgumentsOf(named.toConfig().fields as GraphQLFieldConfigArgumentMap);
    return choices.map(({ parent, path }) => ({ parent, path: [name, ...path] }));
  });
}

const valueAt = (args: Arguments, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Arguments | null | undefined)?.[name], args);

/** The core's arguments of the mutation whose payload this is. */
const argumentsOf = new WeakMap<Payload, Arguments>();

/** Keeps the arguments of a mutation for the parents that its payload shows. */
export function withParents<Result extends Payload>(payload: Result, args: Arguments): Result {
  argumentsOf.set(payload, args);
  return payload;
}

/**
 * The fields of a payload with the records that its mutation leaves: the project, the group and the
 * user that the arguments identify, except for the deleted record itself.
 */
export function parentFields(
  { args = {} }: Field,
  deletedType: string | null,
  query: GraphQLObjectType,
  output: (type: GraphQLOutputType) => GraphQLOutputType,
): GraphQLFieldConfigMap<unknown, object> {
  const finding = query.toConfig().fields;
  return Object.fromEntries(
    parentArgumentsOf(args).flatMap(({ parent, path }) => {
      const { field, reference } = finders[parent];
      const finder = finding[field] as Field;
      if (getNamedType(finder.type).name === deletedType) return [];
      const shown: Field = {
        type: output(getNullableType(finder.type)),
        description: `The ${parent} after the mutation; null if the input names none, or if the current user may not see it.`,
        extensions: { complexity: statementCost },
        resolve: async (payload, _args, context, info) => {
          const value = valueAt(argumentsOf.get(payload as Payload) ?? {}, path);
          if (value !== undefined && value !== null) {
            const id = reference(value);
            return ifVisible(async () => finder.resolve?.({}, { id }, context, info));
          }
          // an argument that is left out means the current user; a choice names another parent then
          return parent === 'user' && path.length === 1
            ? finding.currentUser?.resolve?.({}, {}, context, info)
            : null;
        },
      };
      return [[parent, shown] as const];
    }),
  );
}
