import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { refuseDelegated } from '../kernel/in-person.ts';
import type { PublicExtensions } from '../kernel/public.ts';
import { withPublicNames } from './errors.ts';
import { globalId, identityOf } from './ids.ts';
import { type Inputs, isFlattened, withSentence } from './inputs.ts';
import { capitalized, uncapitalized, words } from './names.ts';
import { below } from './payload-info.ts';
import { parentFields, withParents } from './payload-parents.ts';
import { memberFields, memberOf } from './payload-union.ts';
import { recordArgument, withoutReplaced, withRecordReplaced } from './record-argument.ts';

type Field = GraphQLFieldConfig<unknown, object>;
/** What arguments and input fields have in common. */
type Argument = GraphQLFieldConfigArgumentMap[string];
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
  query: GraphQLObjectType,
): Field {
  const { identifies } = extensionsOf(field);
  const named = identifies ?? identityOf(getNamedType(field.type));
  const { type, argumentsOf, renamed } = inputOf(name, field, inputs, [named]);
  const hasArguments = Object.keys(field.args ?? {}).length > 0;
  const key = payloadKey(field);
  const core = field.resolve as NonNullable<Field['resolve']>;
  const parents = showsParents(field)
    ? parentFields(field, key === 'id' ? (identifies ?? null) : null, query, output)
    : {};
  const isWhole = isPayload(field.type);
  const union = getNamedType(field.type);
  const own = () => {
    if (isWhole) return nullable(output(getNamedType(field.type)) as GraphQLObjectType);
    if (isUnionType(union)) return memberFields(union, output);
    return isShownBy(parents, key, field)
      ? {}
      : { [key]: payloadField(key, field, identifies, output) };
  };
  const payload = new GraphQLObjectType({
    name: `${capitalized(name)}Payload`,
    description: `The result of \`${name}\`.`,
    fields: () => ({ ...parents, ...own() }),
  });
  const result: NonNullable<Field['resolve']> = async (root, args, context, info) => {
    if (isWhole) return core(root, args, context, info);
    if (isUnionType(union)) return memberOf(union, field, core, [root, args, context, info]);
    return { [key]: await core(root, args, context, below(info, key, field.type)) };
  };
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
      // finding the record would tell whether it exists
      refuseDelegated(field, context);
      const args = await argumentsOf(input as Arguments, context);
      return withPublicNames(renamed, async () =>
        withParents((await result(root, args, context, info)) as Arguments, args),
      );
    },
  };
}

/** Whether a payload shows the records that its mutation leaves: the result is not one of them. */
const showsParents = (field: Field): boolean =>
  isLeafType(getNamedType(field.type)) || extensionsOf(field).hasParents === true;

/** Whether parents replace the result: it is the id of one, or whether something has changed. */
const isShownBy = (parents: object, key: string, { type }: Field): boolean =>
  getNamedType(type) === GraphQLBoolean || Object.hasOwn(parents, key.replace(/Id$/, ''));

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
    return `The id of the ${key === 'id' ? 'deleted ' : ''}${words(identifies)}.`;
  }
  const { payloadDescription } = extensionsOf(field);
  if (payloadDescription !== undefined || isLeafType(getNamedType(type))) {
    return payloadDescription ?? '';
  }
  return `The ${words(key)} after the mutation; null if it failed.`;
}

/** The input type of a mutation, and the function that makes the core's arguments of an input. */
function inputOf(name: string, field: Field, inputs: Inputs, identifies: readonly string[]) {
  const { record } = extensionsOf(field);
  const fields: Record<string, unknown> = {};
  const flattened: [string, readonly string[]][] = [];
  const kind = name.startsWith('update') ? 'updating' : 'creating';
  const add = (key: string, config: Argument) => {
    if (key in fields) throw new Error(`The input of ${name} would have two fields ${key}.`);
    const sentence = (config.extensions as PublicExtensions | undefined)?.ending?.[kind];
    fields[key] = sentence === undefined ? config : withSentence(config, sentence);
  };
  for (const [key, config] of Object.entries(withoutReplaced(field.args ?? {}, record))) {
    if (!isFlattened(config.type)) {
      add(key, config);
      continue;
    }
    const inner = (getNamedType(config.type) as GraphQLInputObjectType).toConfig().fields;
    for (const [innerKey, innerConfig] of Object.entries(inner)) add(innerKey, innerConfig);
    flattened.push([key, Object.keys(inner)]);
  }
  const {
    fields: mapped,
    convert = same,
    renamed,
  } = inputs.fields(fields as never, identifies, subjectOf(name, Object.keys(fields)));
  const type = new GraphQLInputObjectType({
    name: `${capitalized(name)}Input`,
    description: `The arguments of \`${name}\`.`,
    fields: record ? { ...recordArgument(record), ...mapped } : mapped,
  });
  const argumentsOf = async (input: Arguments, context: object) => {
    const rest = { ...((await convert(input, context)) as Arguments) };
    for (const [key, names] of flattened) rest[key] = takeOut(rest, names);
    return withRecordReplaced(record, rest, context);
  };
  return { type, argumentsOf, renamed };
}

/** The argument that a mutation is about by its name: `project` of `archiveProject`. */
const subjectOf = (mutation: string, names: readonly string[]): string | undefined =>
  names.find((name) => mutation.endsWith(capitalized(name)));

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
