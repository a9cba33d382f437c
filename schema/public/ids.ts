import { type GraphQLNamedType, isObjectType } from 'graphql';
import { invalid } from '../kernel/errors.ts';
import type { PublicExtensions } from '../kernel/public.ts';

/**
 * The identifiers of the public schema, by one rule: an `ID` is `<type>:<number>`, such as
 * `Issue:42`. An argument also accepts the number alone, which is the `id` of REST, and, where the
 * core accepts one, a full path.
 */
export const globalId = (typeName: string, id: unknown): string => `${typeName}:${String(id)}`;

/** The type in the ids of `type`: its own name, unless it shows records of another type. */
export function identityOf(type: GraphQLNamedType): string {
  const id = isObjectType(type) ? type.getFields().id : undefined;
  return (id?.extensions as PublicExtensions | undefined)?.identifies ?? type.name;
}

const user = ['User'];
const project = ['Project'];
// a group is a namespace with the same number
const group = ['Group', 'Namespace'];
// an argument may also be a name, which may contain colons
const label = ['Label'];

/** The types that a field or argument may identify, by its name without `Id` or `Ids`. */
const identified: Readonly<Record<string, readonly string[]>> = {
  application: ['OauthApplication'],
  assignee: user,
  author: user,
  board: ['Board'],
  creator: user,
  forkedFrom: project,
  group,
  hook: ['WebHook'],
  idOrName: label,
  job: ['Job'],
  label,
  milestone: ['Milestone'],
  namespace: group,
  note: ['Note'],
  owner: user,
  parent: group,
  pipeline: ['Pipeline'],
  project,
  runner: ['Runner'],
  skip: group,
  sourceProject: project,
  targetProject: project,
  to: project,
  user,
};

/** The types that `name` identifies; null unless it is the name of an identifier. */
export function identifiedBy(name: string): readonly string[] | null {
  const stem = name.replace(/Ids?$/, '');
  return identified[stem] ?? null;
}

const largest = 2 ** 31 - 1;

/** The reference without its type; throws `invalid` for the id of another type. */
function withoutType(text: string, name: string, types: readonly string[]): string {
  const [, type, number] = /^([A-Z][A-Za-z]*):(.*)$/s.exec(text) ?? [];
  if (type === undefined || number === undefined) return text;
  if (!types.includes(type)) throw invalid({ [name]: [`is not the id of a ${types[0]}`] });
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

/** Converts the argument `name` to the number that the core expects. */
export const numberOf = (name: string, types: readonly string[]) => (id: unknown) => {
  const number = withoutType(String(id), name, types);
  if (!/^-?\d+$/.test(number) || Number(number) > largest) {
    throw invalid({ [name]: [`is not the id of a ${types[0]}`] });
  }
  return Number(number);
};

/** Converts the argument `name` to the number or path that the core expects. */
export const referenceOf = (name: string, types: readonly string[]) => (id: unknown) =>
  types === label ? labelReference(String(id)) : withoutType(String(id), name, types);

const labelReference = (text: string) => /^Label:(\d+)$/.exec(text)?.[1] ?? text;
