import type { z } from 'zod';

/**
 * `schema`, of which one of `names` must be given at least; told beside whatever else is wrong with
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

/** `schema`, of which all of `names` must be given or none (v4-behaviour 1.3). */
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

/** `schema`, in which `name` must be given, or `alias` in its place. */
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
