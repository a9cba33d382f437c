import type { z } from 'zod';

type Given<Name extends string> = { readonly [Key in Name]?: unknown };
type Rule<Name extends string> = (params: Given<Name>, ctx: z.core.$RefinementCtx) => void;

const ruleOf =
  <const Name extends string>(
    names: readonly Name[],
    holds: (given: number) => boolean,
    words: string,
  ): Rule<Name> =>
  (params, ctx) => {
    const given = names.filter((name) => params[name] !== undefined).length;
    if (holds(given)) return;
    ctx.issues.push({ code: 'custom', message: `${names.join(', ')} ${words}`, input: params });
  };

/** For `.superRefine`: an update has to change something. */
export const atLeastOne = <const Name extends string>(...names: readonly Name[]) =>
  ruleOf(names, (given) => given > 0, 'are missing, at least one parameter must be provided');

export const exclusive = <const Name extends string>(...names: readonly Name[]) =>
  ruleOf(names, (given) => given <= 1, 'are mutually exclusive');

export const allOrNone = <const Name extends string>(...names: readonly Name[]) =>
  ruleOf(
    names,
    (given) => given === 0 || given === names.length,
    'provide all or none of parameters',
  );
