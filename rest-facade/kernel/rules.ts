import type { z } from 'zod';

type Params = Readonly<Record<string, unknown>>;

/** Names of parameters of which at least one is required, by the schema that requires it. */
const alternatives = new WeakMap<z.ZodType, readonly (readonly string[])[]>();

/** The lists of parameters of which a schema requires at least one each. */
export const alternativesOf = (schema: z.ZodType): readonly (readonly string[])[] =>
  alternatives.get(schema) ?? [];

/** `schema`, with a rule that gives a message if it is broken. */
function withRule<Shape extends z.core.$ZodLooseShape>(
  schema: z.ZodObject<Shape>,
  messageOf: (params: Params) => string | null,
  required: readonly (readonly string[])[] = [],
): z.ZodObject<Shape> {
  const ruled = schema.superRefine(
    (params, ctx) => {
      const message = messageOf(params as Params);
      if (message !== null) ctx.issues.push({ code: 'custom', message, input: params });
    },
    // reported together with all other problems of the parameters (v4-behaviour 1.3)
    { when: () => true },
  );
  alternatives.set(ruled, [...alternativesOf(schema), ...required]);
  return ruled;
}

const countOf = (params: Params, names: readonly string[]) =>
  names.filter((name) => params[name] !== undefined).length;

/** `schema`, with at least one of `names` required. */
export const atLeastOne = <Shape extends z.core.$ZodLooseShape>(
  schema: z.ZodObject<Shape>,
  ...names: readonly (keyof Shape & string)[]
) => atLeastOneOf(schema, { names, newer: [] });

/** The same; `newer` suffice, too, and are not part of the text of v4 (v4-behaviour 1.3). */
export function atLeastOneOf<Shape extends z.core.$ZodLooseShape>(
  schema: z.ZodObject<Shape>,
  { names, newer }: Readonly<Record<'names' | 'newer', readonly (keyof Shape & string)[]>>,
) {
  const all = [...names, ...newer];
  const text = `${names.join(', ')} are missing, at least one parameter must be provided`;
  return withRule(schema, (params) => (countOf(params, all) > 0 ? null : text), [all]);
}

/** `schema`, with either all of `names` or none required (v4-behaviour 1.3). */
export const allOrNone = <Shape extends z.core.$ZodLooseShape>(
  schema: z.ZodObject<Shape>,
  ...names: readonly (keyof Shape & string)[]
) =>
  withRule(schema, (params) => {
    const count = countOf(params, names);
    return count === 0 || count === names.length
      ? null
      : `${names.join(', ')} provide all or none of parameters`;
  });

/** `schema`, whose parameter `name` must not be given. */
export const withoutParameter = <Shape extends z.core.$ZodLooseShape>(
  schema: z.ZodObject<Shape>,
  name: keyof Shape & string,
  why: string,
) => withRule(schema, (params) => (params[name] === undefined ? null : `${name} ${why}`));

/** `schema`, with `name` or its `alias` required. */
export const required = <Shape extends z.core.$ZodLooseShape>(
  schema: z.ZodObject<Shape>,
  name: keyof Shape & string,
  alias: keyof Shape & string,
) =>
  withRule(schema, (params) => (countOf(params, [name, alias]) > 0 ? null : `${name} is missing`), [
    [name, alias],
  ]);

/** `schema`, with exactly one of `names` required. */
export const exactlyOne = <Shape extends z.core.$ZodLooseShape>(
  schema: z.ZodObject<Shape>,
  ...names: readonly (keyof Shape & string)[]
) =>
  withRule(
    schema,
    (params) => {
      const count = countOf(params, names);
      if (count === 1) return null;
      return count === 0
        ? `${names.join(', ')} are missing, exactly one parameter must be provided`
        : `${names.join(', ')} are mutually exclusive`;
    },
    [names],
  );
