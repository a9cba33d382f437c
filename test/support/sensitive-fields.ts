import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { schema } from '../../schema/index.ts';
import { publicView } from '../../schema/public/view.ts';

type Field = GraphQLField<unknown, unknown>;

const sensitive =
  /token|password|two-?factor|recovery|email|secret|session|impersonat|application/i;

/** The names in an argument and, for an input object, in all of its fields. */
function namesOf(argument: Pick<GraphQLArgument, 'name' | 'type'>, seen: Set<string>): string[] {
  const type = getNamedType(argument.type);
  if (!isInputObjectType(type) || seen.has(type.name)) return [argument.name, type.name];
  seen.add(type.name);
  const inner = Object.values(type.getFields()).flatMap((field) => namesOf(field, seen));
  return [argument.name, type.name, ...inner];
}

/** Whether the name, an argument or a direct scalar of the result is named after credentials. */
function isSensitive(field: Field): boolean {
  const type = getNamedType(field.type);
  const results = isObjectType(type)
    ? Object.values(type.getFields()).filter((inner) => isLeafType(getNamedType(inner.type)))
    : [];
  const seen = new Set<string>();
  return [
    field.name,
    type.name,
    ...field.args.flatMap((argument) => namesOf(argument, seen)),
    ...results.map(({ name }) => name),
  ].some((name) => sensitive.test(name));
}

export const needsUserInPerson = (field: Field): boolean => field.extensions.inPerson === true;

const fieldsOf = (type: GraphQLObjectType | null | undefined): readonly Field[] =>
  Object.values(type?.getFields() ?? {});

const mutations = fieldsOf(schema.getMutationType());
const queries = fieldsOf(schema.getQueryType());

/** Mutations named after credentials, e-mail addresses, two-factor settings or applications. */
export const sensitiveMutations = mutations.filter(isSensitive);

/** Fields of objects that are named after tokens and the like, as `Type.field`. */
export const sensitiveResults = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .filter((type) => !type.name.startsWith('__'))
  .filter((type) => type !== schema.getMutationType() && type !== schema.getQueryType())
  .flatMap((type) => fieldsOf(type).map((field) => ({ field, name: `${type.name}.${field.name}` })))
  .filter(({ field }) => /token|secret|password/i.test(field.name));

const literals: Readonly<Record<string, string>> = {
  Int: '1',
  Boolean: 'true',
  Date: '"2100-01-01"',
  DateTime: '"2100-01-01T00:00:00Z"',
};

/** A literal that passes validation for this type. */
function literalOf(type: GraphQLInputType): string {
  if (isNonNullType(type)) return literalOf(type.ofType);
  if (isListType(type)) return `[${literalOf(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  if (!isInputObjectType(type)) return literals[type.name] ?? '"1"';
  const fields = Object.values(type.getFields()).filter((field) => isNonNullType(field.type));
  return `{${fields.map((field) => `${field.name}: ${literalOf(field.type)}`).join(', ')}}`;
}

/** The field with its required arguments and the first scalar of its result. */
function callOf(field: Field): string {
  const args = field.args
    .filter(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined)
    .map(({ name, type }) => `${name}: ${literalOf(type)}`);
  const type = getNamedType(field.type);
  const selection = isObjectType(type) ? ' { __typename }' : '';
  return `${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${selection}`;
}

/** The names of the root fields of the core that need the user in person. */
export const inPersonNames = new Set(
  [...mutations, ...queries].filter(needsUserInPerson).map(({ name }) => name),
);

const view = publicView(schema);

/** A document for each root field of /graphql that needs the user in person, by its schema. */
export const inPersonDocuments = [
  ...fieldsOf(view.getMutationType()).map((field) => ['mutation', field] as const),
  ...fieldsOf(view.getQueryType()).map((field) => ['query', field] as const),
]
  .filter(([, field]) => needsUserInPerson(field))
  .map(([kind, field]) => ({ name: field.name, query: `${kind} { alias: ${callOf(field)} }` }));
