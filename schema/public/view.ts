import {
  defaultFieldResolver,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLFieldResolver,
  GraphQLID,
  GraphQLInt,
  GraphQLInterfaceType,
  type GraphQLLeafType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  GraphQLUnionType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { nodeLoader } from '../kernel/nodes.ts';
import type { PublicExtensions } from '../kernel/public.ts';
import { accessLevelFor } from './access-level.ts';
import { withPublicNames } from './errors.ts';
import { globalId, identifiedBy, identityOf } from './ids.ts';
import { publicInputs } from './inputs.ts';
import { withLeaf } from './leaf.ts';
import { publicMutation } from './mutations.ts';
import { upperCase } from './names.ts';
import { Node, nodeField } from './nodes.ts';
import { recordArgument, withoutReplaced, withRecordReplaced } from './record-argument.ts';

type Field = GraphQLFieldConfig<unknown, object>;

/** A resolver, or the function that starts a subscription. */
type Converted = GraphQLFieldResolver<unknown, object>;

/**
 * The schema of `/graphql`, derived from the core's (docs/adr/0036): without internal fields and
 * what only they reach; with nullable root fields, enum values in UPPER_CASE, `ID`s, and mutations
 * with one input and a payload. Resolvers are the core's.
 */
export function publicView(core: GraphQLSchema): GraphQLSchema {
  const [query, mutation, subscription] = [
    core.getQueryType(),
    core.getMutationType(),
    core.getSubscriptionType(),
  ];
  const roots = new Set([query, subscription]);
  const types = new Map<string, GraphQLNamedType>();
  const inputs = publicInputs((type) => named(type) as typeof type, leafOf);

  const named = (type: GraphQLNamedType): GraphQLNamedType => {
    const existing = types.get(type.name);
    if (existing) return existing;
    const viewed = view(type);
    types.set(type.name, viewed);
    return viewed;
  };

  /** The scalar or enum with this name, which a text of the core is in the public schema. */
  function leafOf(name: string): GraphQLLeafType {
    const type = core.getType(name);
    if (!isLeafType(type)) throw new Error(`There is no scalar or enum ${name}.`);
    return named(type) as GraphQLLeafType;
  }

  const view = (type: GraphQLNamedType): GraphQLNamedType => {
    if (isEnumType(type)) return inUpperCase(type);
    if (isUnionType(type)) {
      const config = type.toConfig();
      return new GraphQLUnionType({
        ...config,
        types: () => config.types.map((member) => named(member) as GraphQLObjectType),
      });
    }
    if (!isObjectType(type) && !isInterfaceType(type)) return type;
    const config = type.toConfig();
    const members = {
      interfaces: () => [
        ...config.interfaces.map((type) => named(type) as GraphQLInterfaceType),
        ...(isNode(type) || hasOnlyNodes(type) ? [Node] : []),
      ],
      fields: () => ({
        ...fieldsOf(type),
        ...(type === query && { node: nodeField as Field }),
      }),
    };
    return isObjectType(type)
      ? new GraphQLObjectType({ ...type.toConfig(), ...members })
      : new GraphQLInterfaceType({ ...type.toConfig(), ...members });
  };

  /** Whether the type is an interface, and `node` finds all records that it has. */
  const hasOnlyNodes = (type: GraphQLNamedType): boolean =>
    isInterfaceType(type) && core.getPossibleTypes(type).every(isNode);

  const output = (type: GraphQLOutputType): GraphQLOutputType => {
    if (isNonNullType(type)) return new GraphQLNonNull(output(type.ofType) as never);
    if (isListType(type)) return new GraphQLList(output(type.ofType));
    return named(getNamedType(type)) as GraphQLOutputType;
  };

  const fieldsOf = (type: GraphQLObjectType | GraphQLInterfaceType) =>
    Object.fromEntries(
      Object.entries(type.toConfig().fields)
        .filter(([, field]) => !(field.extensions as PublicExtensions | undefined)?.isInternal)
        .map(([name, field]) => [name, fieldOf(type, name, field)]),
    );

  const fieldOf = (type: GraphQLNamedType, name: string, field: Field): Field => {
    if (type === mutation)
      return publicMutation(name, field, inputs, output, query as GraphQLObjectType);
    const identified = withGlobalId(identityOf(type), name, field) ?? withAccessLevel(name, field);
    if (identified) return identified;
    const extensions = (field.extensions ?? {}) as PublicExtensions;
    const { identifies, isNullable, absentValue, publicType, record } = extensions;
    const canBeNull =
      isNullable || absentValue !== undefined || roots.has(type as GraphQLObjectType);
    const shown = canBeNull ? getNullableType(field.type) : field.type;
    const own = [identifies ?? identityOf(getNamedType(field.type))];
    const { args: coreArgs = {}, subscribe } = field;
    const resolve = absentValue === undefined ? field.resolve : nullFor(absentValue, field.resolve);
    const { fields, convert, renamed } = inputs.fields(
      withoutReplaced(coreArgs, record),
      own,
      name,
    );
    const argumentsOf = async (given: object, context: object): Promise<object> => {
      const args = convert ? await convert(given, context) : given;
      return withRecordReplaced(record, args as Readonly<Record<string, unknown>>, context);
    };
    const converting = <Run extends Converted>(run: Run): Converted =>
      convert || record
        ? (parent, given, context, info) =>
            withPublicNames(renamed, async () =>
              run(parent, await argumentsOf(given, context), context, info),
            )
        : run;
    return {
      ...field,
      args: record ? { ...recordArgument(record), ...fields } : fields,
      type: publicType === undefined ? output(shown) : withLeaf(shown, leafOf(publicType)),
      ...(resolve && { resolve: converting(resolve) }),
      ...(subscribe && { subscribe: converting(subscribe) }),
    };
  };

  const rootOf = (type: GraphQLObjectType | null | undefined) =>
    type ? (named(type) as GraphQLObjectType) : null;
  // what a field of an interface may return; no field returns a `Page`
  const implementing = Object.values(core.getTypeMap()).filter(
    (type) =>
      isObjectType(type) &&
      (type.getInterfaces().some(({ name }) => name !== 'Page') || isNode(type)),
  );
  return new GraphQLSchema({
    description: core.description,
    query: rootOf(query),
    mutation: rootOf(mutation),
    subscription: rootOf(subscription),
    types: implementing.map(named),
    directives: core.getDirectives(),
  });
}

/** Whether `node` finds records of the type. */
const isNode = (type: GraphQLNamedType): boolean => nodeLoader(type.name) !== undefined;

/** The enum with names in UPPER_CASE for the values of the core, without internal ones. */
function inUpperCase(type: GraphQLEnumType): GraphQLEnumType {
  const { values, ...config } = type.toConfig();
  return new GraphQLEnumType({
    ...config,
    values: Object.fromEntries(
      Object.entries(values)
        .filter(([, { extensions }]) => !(extensions as PublicExtensions | undefined)?.isInternal)
        .map(([name, value]) => [upperCase(name), { ...value, value: value.value ?? name }]),
    ),
  });
}

/**
 * The resolver with null in place of the text that stands for no value in the core. A field that
 * exposes a column has no resolver.
 */
const nullFor =
  (absentValue: string, resolve: Converted = defaultFieldResolver): Converted =>
  async (record, args, context, info) => {
    const value = await resolve(record, args, context, info);
    return value === absentValue ? null : value;
  };

/** The field with the enum of access levels, if it is one; else null. */
function withAccessLevel(name: string, field: Field): Field | null {
  const level = accessLevelFor(name, getNullableType(field.type));
  if (!level) return null;
  return { ...field, type: isNonNullType(field.type) ? new GraphQLNonNull(level) : level };
}

/** The field as an `ID`, if it is the number of a record; else null. */
function withGlobalId(parent: string, name: string, field: Field): Field | null {
  // a field that exposes a column has no resolver
  const { resolve = defaultFieldResolver } = field;
  if (getNullableType(field.type) !== GraphQLInt) return null;
  const [type] = name === 'id' ? [parent] : name.endsWith('Id') ? (identifiedBy(name) ?? []) : [];
  if (type === undefined) return null;
  return {
    ...field,
    type: isNonNullType(field.type) ? new GraphQLNonNull(GraphQLID) : GraphQLID,
    resolve: async (record, args, context, info) => {
      const id = await resolve(record, args, context, info);
      return id === null || id === undefined ? null : globalId(type, id);
    },
  };
}
