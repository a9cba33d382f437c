import type { z } from 'zod';
import type {
  Endpoint,
  EndpointParameter,
  FindEndpoint,
  Outcome,
} from '../../schema/client/endpoint.ts';
import type { Operation } from '../../schema/client/operation.ts';
import { executeRoute, type Parts, Refusal, showing } from './answer.ts';
import { chosenBy } from './choice.ts';
import { collectBody } from './collect-body.ts';
import { explain, refused } from './errors.ts';
import { fieldsOf, isRequired, parameterSchema } from './parameter-schema.ts';
import { merged } from './read.ts';
import type { PathParams, Route } from './route.ts';

interface EndpointParts extends Parts {
  /** Bytes; a longer file gives 413. */
  readonly longestFile: number;
}

/** Endpoints through which interfaces other than HTTP call the operations of `routes`. */
export function endpointsOf(routes: readonly Route[], parts: EndpointParts): FindEndpoint {
  const byName = new Map(
    routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route]),
  );
  return (name) => {
    const route = byName.get(name);
    return route ? choosingEndpoint(route, parts) : null;
  };
}

const namesIn = (path: string) => [...path.matchAll(/[:*](\w+)/g)].map(([, name = '']) => name);

/** The path parameters as text; values that cannot be part of a path are left out. */
function pathOf(names: readonly string[], given: Readonly<Record<string, unknown>>): PathParams {
  const texts: Record<string, string> = {};
  for (const name of names) {
    const value = given[name];
    if (typeof value === 'string' || typeof value === 'number') texts[name] = String(value);
  }
  return texts;
}

const paging: readonly EndpointParameter[] = ['page', 'per_page'].map((name) => ({
  name,
  type: 'integer',
  isRequired: false,
}));

/** The parameters of an operation; `inPath` names those of the path, in order. */
function parametersOf(
  { params, total }: Operation,
  inPath: readonly string[],
): readonly EndpointParameter[] {
  const fields = fieldsOf(params);
  const parameters = Object.entries(fields).map(([name, field]) => ({
    name,
    type: typeOf(field),
    isRequired: isRequired(field),
  }));
  const placeOf = ({ name }: EndpointParameter) =>
    inPath.includes(name) ? inPath.indexOf(name) : inPath.length;
  return [...parameters.toSorted((a, b) => placeOf(a) - placeOf(b)), ...(total ? paging : [])];
}

/** The name of a parameter's type. */
function typeOf(field: z.ZodType): string {
  const { type, contentMediaType } = parameterSchema(field);
  if (contentMediaType !== undefined) return 'file';
  const [first] = Array.isArray(type) ? type : [type];
  return typeof first === 'string' ? first : 'string';
}

function choosingEndpoint(route: Route, parts: EndpointParts): Endpoint {
  const { choices } = route;
  const own = endpointOf(route, parts);
  if (!choices) return own;
  const endpoints = new Map([...choices.routes].map(([v, each]) => [v, endpointOf(each, parts)]));
  const answer: Endpoint['answer'] = (given, caller) =>
    (chosenBy(endpoints, choices, given) ?? own).answer(given, caller);
  return { ...own, answer };
}

function endpointOf(route: Route, parts: EndpointParts): Endpoint {
  const { before: _, ...withoutBefore } = route;
  const { operation, digits = [], send } = route;
  const names = namesIn(route.path);
  const ask = executeRoute(route, parts.execute);
  // without every path parameter there is no resource whose permission could be checked
  const askNameless = executeRoute(withoutBefore, parts.execute);
  const show = showing(route);

  const answer: Endpoint['answer'] = async (given, caller) => {
    const path = pathOf(names, given);
    if (digits.some((name) => path[name] !== undefined && !/^\d+$/.test(path[name]))) {
      return refused.path;
    }
    const answerOf = names.every((name) => path[name] !== undefined) ? ask : askNameless;
    const { params, data } = await answerOf(() => merged(given, undefined, {}), path, caller);
    if (!send) return show(data, params, { url: parts.url, viewer: caller.viewer });
    return collectBody(
      (receiver) => send(data, params, parts.streamsFor(receiver)),
      parts.longestFile,
      caller.request,
    );
  };

  return {
    path: names,
    access: route.isForAdmins ? 'admin' : route.access,
    isListing: operation.total !== undefined,
    parameters: () => parametersOf(operation, names),
    answer: async (given, caller): Promise<Outcome> => {
      try {
        return await answer(given, caller);
      } catch (error) {
        const outcome = error instanceof Refusal ? error.outcome : explain(error, operation);
        if (!outcome) throw error;
        return outcome;
      }
    },
  };
}
