import {
  type FieldNode,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  getNamedType,
  getNullableType,
  isCompositeType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  Kind,
} from 'graphql';
import type { PublicExtensions } from '../kernel/public.ts';
import { selectedNodes } from '../kernel/selected-fields.ts';
import { globalId, identityOf } from './ids.ts';
import { type Inputs, isFlattened } from './inputs.ts';
import { capitalized, uncapitalized, words } from './names.ts';

type Field = GraphQLFieldConfig<unknown, object>;
type Arguments = Readonly<Record<string, unknown>>;

const extensionsOf = ({ extensions }: Field): PublicExtensions => extensions ?? {};

/** The name of the payload's field: that of its type, in the plural for a list. */
function payloadKey(field: Field): string {
  const { payload } = extensionsOf(field);
  if (payload !== undefined) return payload;
  const type = getNamedType(field.type);
  if (type === GraphQLID) return 'id';
  if (!isObjectType(type) && !isUnionType(type)) return 'result';
  const isList = isListType(isNonNullType(field.type) ? field.type.ofType : field.type);
  return `${uncapitalized(type.name)}${isList ? 's' : ''}`;
}

/** Whether the type of a result holds what a payload shows: several values, not one record. */
const isPayload = (type: GraphQLOutputType): boolean =>
  (getNamedType(type).extensions as PublicExtensions).isPayload === true;

/**
 * A mutation of the public schema, by one convention: `createIssue(project, issue: NewIssue!): Issue!`
 * of the core becomes `createIssue(input: CreateIssueInput!): CreateIssuePayload`. Required input
 * objects are flattened into the input, and the result is a field of the payload. Payloads and their
 * fields are nullable, so that an error erases no other mutation of the document.
 */
export function publicMutation(
  name: string,
  field: Field,
  inputs: Inputs,
  output: (type: GraphQLOutputType) => GraphQLOutputType,
): Field {
  const { identifies } = extensionsOf(field);
  const named = identifies ?? identityOf(getNamedType(field.type));
  const { type, argumentsOf } = inputOf(name, field, inputs, [named]);
  const hasArguments = Object.keys(field.args ?? {}).length > 0;
  const isWhole = isPayload(field.type);
  const key = payloadKey(field);
  const core = field.resolve as NonNullable<Field['resolve']>;
  const payload = new GraphQLObjectType({
    name: `${capitalized(name)}Payload`,
    description: `The result of \`${name}\`.`,
    fields: isWhole
      ? () => nullable(output(getNamedType(field.type)) as GraphQLObjectType)
      : { [key]: payloadField(key, field, identifies, output) },
  });
  return {
    ...field,
    type: payload,
    // an input type has at least one field
    args: hasArguments
      ? {
          input: {
            type: new GraphQLNonNull(type),
            description: `The arguments of \`${name}\`.`,
          },
        }
      : {},
    resolve: async (root, { input = {} }, context, info) => {
      const args = argumentsOf(input as Arguments);
      if (isWhole) return core(root, args, context, info);
      return { [key]: await core(root, args, context, below(info, key, field.type)) };
    },
  };
}

/** The fields of a result that is a payload: one that fails erases no other. */
const nullable = (type: GraphQLObjectType): GraphQLFieldConfigMap<unknown, object> =>
  Object.fromEntries(
    Object.entries(type.toConfig().fields).map(([name, field]) => [
      name,
      { ...field, type: getNullableType(field.type) },
    ]),
  );

/** The field of the payload that holds the result. */
function payloadField(
  key: string,
  field: Field,
  identifies: string | undefined,
  output: (type: GraphQLOutputType) => GraphQLOutputType,
): GraphQLFieldConfigMap<unknown, object>[string] {
  const { type } = field;
  const isId = getNamedType(type) === GraphQLID && identifies !== undefined;
  return {
    type: output(getNullableType(type)),
    description: payloadDescription(key, field, isId ? identifies : undefined),
    extensions: { complexity: 0 },
    resolve: (payload) => {
      const value = (payload as Arguments)[key];
      return isId && value !== null ? globalId(identifies, value) : value;
    },
  };
}

/** The description of the payload's field, which a leaf declares. */
function payloadDescription(key: string, field: Field, identifies: string | undefined): string {
  const { type } = field;
  if (identifies !== undefined) {
    return `The id of the ${key === 'id' ? 'deleted ' : ''}${identifies}.`;
  }
  const { payloadDescription } = extensionsOf(field);
  if (payloadDescription !== undefined || isLeafType(getNamedType(type))) {
    return payloadDescription ?? '';
  }
  return `The ${words(key)} after the mutation; null if it failed.`;
}

/** The input type of a mutation, and the function that makes the core's arguments of an input. */
function inputOf(
  name: string,
  { args = {} }: Field,
  inputs: Inputs,
  identifies: readonly string[],
) {
  const fields: Record<string, unknown> = {};
  const flattened: [string, readonly string[]][] = [];
  const add = (key: string, config: unknown) => {
    if (key in fields) throw new Error(`The input of ${name} would have two fields ${key}.`);
    fields[key] = config;
  };
  for (const [key, config] of Object.entries(args)) {
    if (!isFlattened(config.type)) {
      add(key, config);
      continue;
    }
    const inner = (getNamedType(config.type) as GraphQLInputObjectType).toConfig().fields;
    for (const [innerKey, innerConfig] of Object.entries(inner)) add(innerKey, innerConfig);
    flattened.push([key, Object.keys(inner)]);
  }
  const { fields: mapped, convert = same } = inputs.fields(fields as never, identifies);
  const type = new GraphQLInputObjectType({
    name: `${capitalized(name)}Input`,
    description: `The arguments of \`${name}\`.`,
    fields: mapped,
  });
  const argumentsOf = (input: Arguments): Record<string, unknown> => {
    const rest = { ...(convert(input) as Arguments) };
    for (const [key, names] of flattened) rest[key] = takeOut(rest, names);
    return rest;
  };
  return { type, argumentsOf };
}

const same = (value: unknown) => value;

/** Moves the fields with these names out of `from`. */
function takeOut(from: Record<string, unknown>, names: readonly string[]): object {
  const taken: Record<string, unknown> = {};
  for (const name of names) {
    if (Object.hasOwn(from, name)) taken[name] = from[name];
    delete from[name];
  }
  return taken;
}

/** The info of the field `key` of the payload: the core's resolver loads what is selected there. */
function below(
  info: GraphQLResolveInfo,
  key: string,
  returnType: GraphQLOutputType,
): GraphQLResolveInfo {
  const parentType = getNamedType(info.returnType) as GraphQLObjectType;
  const selected = selectedNodes(info, key);
  const fieldNodes = selected.length > 0 ? selected : [unselected(key, returnType)];
  const [node] = fieldNodes;
  const path = {
    prev: info.path,
    key: (node?.alias ?? node?.name)?.value ?? key,
    typename: parentType.name,
  };
  return { ...info, fieldName: key, fieldNodes, returnType, parentType, path };
}

/** The node of a result that the document does not select: the core still needs one to resolve. */
const unselected = (key: string, type: GraphQLOutputType): FieldNode => ({
  kind: Kind.FIELD,
  name: { kind: Kind.NAME, value: key },
  ...(isCompositeType(getNamedType(type)) && {
    selectionSet: {
      kind: Kind.SELECTION_SET,
      selections: [{ kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } }],
    },
  }),
});
