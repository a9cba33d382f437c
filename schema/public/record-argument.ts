import { type GraphQLFieldConfigArgumentMap, GraphQLID, GraphQLNonNull } from 'graphql';
import type { Context } from '../kernel/context.ts';
import { notFound, unauthenticated } from '../kernel/errors.ts';
import type { RecordArgument } from '../kernel/public.ts';
import { ifVisible } from '../kernel/results.ts';
import { acceptedType, either, notTheIdOf, parsedGlobalId, referenceForms } from './ids.ts';
import { capitalized, words } from './names.ts';

/** The arguments of the core that the record does not determine. */
export const withoutReplaced = (
  args: GraphQLFieldConfigArgumentMap,
  record: RecordArgument | undefined,
): GraphQLFieldConfigArgumentMap =>
  record
    ? Object.fromEntries(Object.entries(args).filter(([name]) => !record.replaces.includes(name)))
    : args;

/** The argument that identifies the record. */
export function recordArgument({ name, types }: RecordArgument): GraphQLFieldConfigArgumentMap {
  const names = Object.keys(types);
  const [only] = names;
  const forms = names.map((type) => `\`${type}:42\``);
  const description =
    only !== undefined && names.length === 1
      ? `The ${words(only)}, as ${referenceForms([only])}`
      : `The ${either.format(names.map(words))}, as ${either.format(forms)}.`;
  return { [name]: { type: new GraphQLNonNull(GraphQLID), description } };
}

/**
 * The arguments of the core: the id of the record is replaced by the arguments that follow from it.
 * A hidden record causes the same error as an absent one.
 */
export async function withRecordReplaced(
  record: RecordArgument | undefined,
  args: Readonly<Record<string, unknown>>,
  ctx: object,
): Promise<Readonly<Record<string, unknown>>> {
  if (!record) return args;
  const { [record.name]: id, ...others } = args;
  return { ...others, ...(await argumentsOfRecord(record, id, ctx)) };
}

/** The arguments of the core that follow from the record `id`. */
async function argumentsOfRecord(
  { name, types }: RecordArgument,
  id: unknown,
  ctx: object,
): Promise<Readonly<Record<string, unknown>>> {
  const [type, number] = typeAndNumber(name, String(id), Object.keys(types));
  const args = await ifVisible(async () => types[type]?.(number, ctx));
  if (!args) {
    throw (ctx as Context).viewer ? notFound(capitalized(words(type))) : unauthenticated();
  }
  return args;
}

/** The parts of an id; the number alone identifies a record if it can be of one type only. */
function typeAndNumber(
  name: string,
  id: string,
  types: readonly string[],
): readonly [type: string, number: number] {
  const [only] = types;
  const isNumber = /^\d+$/.test(id) && types.length === 1;
  const parsed = parsedGlobalId(isNumber ? `${only}:${id}` : id);
  const type = parsed && acceptedType(parsed.type, types);
  if (!parsed || !type) {
    throw notTheIdOf(types, name);
  }
  return [type, parsed.number];
}
