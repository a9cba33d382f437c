import { z } from 'zod';
import { fieldsOf } from './parameter-schema.ts';
import { p } from './params.ts';
import type { Choices, Route } from './route.ts';
import { textOf } from './values.ts';

/** What `values` has for the given parameters; null if the parameter has none of their names. */
export const chosenBy = <Value>(
  values: ReadonlyMap<string, Value>,
  { parameter }: Choices,
  given: Readonly<Record<string, unknown>>,
): Value | null => values.get(textOf(given[parameter]) ?? '') ?? null;

/**
 * One endpoint with a document of its own for each value of a parameter, by which `routes` are named. They
 * have the same path, method and access. What is said of the endpoint is that of all of them: its
 * parameters, and one of their responses.
 */
export function choiceOf(
  parameter: string,
  description: string,
  routes: Readonly<Record<string, Route>>,
): Route {
  const [first] = Object.values(routes);
  if (!first) throw new Error(`${parameter} has no values`);
  const all = Object.values(routes);
  const responses = [...new Set(all.flatMap(({ response }) => response ?? []))];
  const params = z.object({
    ...Object.assign({}, ...all.map(({ operation }) => fieldsOf(operation.params))),
    [parameter]: p.choice(Object.keys(routes)).describe(description),
  });
  return {
    ...first,
    operation: { ...first.operation, params },
    response: z.union(responses as [z.ZodType, ...z.ZodType[]]),
    choices: { parameter, routes: new Map(Object.entries(routes)) },
  };
}
