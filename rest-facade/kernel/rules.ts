import type { z } from 'zod';

/**
 * `schema`, with at least one of `names` required; reported together with all other problems of
 * the parameters (v4-behaviour 1.3).
 */
export const atLeastOne = <Shape extends z.core.$ZodLooseShape>(
  schema: z.ZodObject<Shape>,
  ...names: readonly (keyof Shape & string)[]
) =>
  schema.superRefine(
    (params, ctx) => {
      const given = params as Readonly<Record<string, unknown>>;
      if (names.some((name) => given[name] !== undefined)) return;
      const message = `${names.join(', ')} are missing, at least one parameter must be provided`;
      ctx.issues.push({ code: 'custom', message, input: params });
    },
    { when: () => true },
  );

/** `schema`, with either all of `names` or none required (v4-behaviour 1.3). */
export const allOrNone = <Shape extends z.core.$ZodLooseShape>(
  schema: z.ZodObject<Shape>,
  ...names: readonly (keyof Shape & string)[]
) =>
  schema.superRefine(
    (params, ctx) => {
      const given = params as Readonly<Record<string, unknown>>;
      const count = names.filter((name) => given[name] !== undefined).length;
      if (count === 0 || count === names.length) return;
      const message = `${names.join(', ')} provide all or none of parameters`;
      ctx.issues.push({ code: 'custom', message, input: params });
    },
    { when: () => true },
  );

/** `schema`, with `name` or its `alias` required. */
export const required = <Shape extends z.core.$ZodLooseShape>(
  schema: z.ZodObject<Shape>,
  name: keyof Shape & string,
  alias: keyof Shape & string,
) =>
  schema.superRefine(
    (params, ctx) => {
      const given = params as Readonly<Record<string, unknown>>;
      if (given[name] !== undefined || given[alias] !== undefined) return;
      ctx.issues.push({ code: 'custom', message: `${name} is missing`, input: params });
    },
    { when: () => true },
  );
