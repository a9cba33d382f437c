import { type GraphQLNamedType, isObjectType } from 'graphql';
import { invalid } from '../kernel/errors.ts';
import type { PublicExtensions } from '../kernel/public.ts';
import { hasPath, idAtPath, isPath } from './paths.ts';

/**
 * The identifiers of the public schema, by one rule: an `ID` is `<type>:<number>`, such as
 * `Issue:42`. An argument also accepts the number alone, which is the `id` of REST, and the full
 * path of a project or group.
 */
export const globalId = (typeName: string, id: unknown): string => `${typeName}:${String(id)}`;

/** The type in the ids of `type`: its own name, unless it shows records of another type. */
export function identityOf(type: GraphQLNamedType): string {
  const id = isObjectType(type) ? type.getFields().id : undefined;
  return (id?.extensions as PublicExtensions | undefined)?.identifies ?? type.name;
}

const user = ['User'];
const project = ['Project'];
const group = ['Group'];

/** The types that a field or argument may identify, by its name without `Id` or `Ids`. */
const identified: Readonly<Record<string, readonly string[]>> = {
  application: ['OauthApplication'],
  assignee: user,
  author: user,
  board: ['Board'],
  creator: user,
  forkedFrom: project,
  group,
  hook: ['Hook'],
  job: ['Job'],
  label: ['Label'],
  milestone: ['Milestone'],
  namespace: ['Namespace'],
  note: ['Note'],
  owner: user,
  parent: group,
  pipeline: ['Pipeline'],
  project,
  runner: ['Runner'],
  skip: group,
  sourceProject: project,
  sshKey: ['SshKey'],
  sudoer: user,
  targetProject: project,
  to: project,
  user,
};

/** The types that `name` identifies; null unless it is the name of an identifier. */
export function identifiedBy(name: string): readonly string[] | null {
  const stem = name.replace(/Ids?$/, '');
  return identified[stem] ?? null;
}

/** What `Id` is appended to, unless it is the name of the core's argument. */
const stems: Readonly<Record<string, string>> = { to: 'toProject' };

/** The public name of an argument or input field that identifies a record: `projectId` for `project`. */
export const referenceName = (name: string): string =>
  name === 'id' || /Ids?$/.test(name) ? name : `${stems[name] ?? name}Id`;

/** A group is a namespace with the same number, and the id of one is accepted for the other. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  Group: ['Namespace'],
  Namespace: ['Group'],
};

/** The type of `types` that an id of the type `named` may identify; undefined if there is none. */
export const acceptedType = (named: string, types: readonly string[]): string | undefined =>
  [named, ...(synonyms[named] ?? [])].find((type) => types.includes(type));

/** The types of the ids that an argument for records of `types` accepts. */
const acceptedTypes = (types: readonly string[]): readonly string[] =>
  types.flatMap((type) => [type, ...(synonyms[type] ?? [])]);

/** How a reference to a record of `types` is written. */
export function referenceForms(types: readonly string[]): string {
  const ids = [...acceptedTypes(types).map((type) => `${type}:42`), '42'];
  const forms = ids.map((form) => `\`${form}\``);
  return `${either.format(hasPath(types) ? [...forms, 'the full path'] : forms)}.`;
}

/** Lists alternatives: `a, b or c`. */
export const either = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** The error of the argument `name`, whose value identifies no record of these types. */
export function notTheIdOf(types: readonly string[], name: string): Error {
  const article = /^[AEIO]/.test(types[0] ?? '') ? 'an' : 'a';
  return invalid({
    [name]: [`is not the id of ${article} ${either.format(acceptedTypes(types))}`],
  });
}

const largest = 2 ** 31 - 1;

/** The reference without its type; throws `invalid` for the id of another type. */
function withoutType(text: string, name: string, types: readonly string[]): string {
  const [, type, number] = /^([A-Z][A-Za-z]*):(.*)$/s.exec(text) ?? [];
  if (type === undefined || number === undefined) return text;
  if (!acceptedType(type, types)) throw notTheIdOf(types, name);
  return number;
}

interface GlobalId {
  readonly type: string;
  readonly number: number;
}

/** The parts of a global id; null for other texts. */
export function parsedGlobalId(id: string): GlobalId | null {
  const [, type, digits] = /^([A-Z][A-Za-z]*):(\d{1,10})$/.exec(id) ?? [];
  if (type === undefined || Number(digits) > largest) return null;
  return { type, number: Number(digits) };
}

/** Converts the argument `name` to the number that the core expects; a full path is looked up. */
export const numberOf = (name: string, types: readonly string[]) => (id: unknown, ctx: object) => {
  const number = withoutType(String(id), name, types);
  if (isPath(number, types)) return idAtPath(number, types, ctx);
  if (!/^-?\d+$/.test(number) || Number(number) > largest) {
    throw notTheIdOf(types, name);
  }
  return Number(number);
};

/** Converts the argument `name` to the number or path that the core expects. */
export const referenceOf = (name: string, types: readonly string[]) => (id: unknown) =>
  withoutType(String(id), name, types);
