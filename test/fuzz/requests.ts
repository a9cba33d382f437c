import fc, { type Arbitrary } from 'fast-check';
import { stringify } from 'qs';
import { objectsOf, orWrong, type ParameterSchema, valuesOf } from './arbitraries.ts';

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: ParameterSchema;
}

/** An operation of the OpenAPI document. */
export interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: ParameterSchema }>>;
  };
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

/** A request below the server's URL. */
export interface FuzzedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Values of existing records, by the names of parameters. */
export type Known = (path: string, name: string) => readonly (string | number)[];

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

/** A value as a part of a path. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** Requests of one operation: existing ids and generated ones, valid and wrong parameters. */
export function requestsOf(
  method: string,
  path: string,
  operation: Operation,
  document: OpenApi,
  known: Known,
): Arbitrary<FuzzedRequest> {
  // a deleted record would leave the later requests without it
  const isRemoving = method === 'delete';
  const valuesFor = (name: string, schema: ParameterSchema): Arbitrary<unknown> => {
    const existing = isRemoving ? [] : known(path, name);
    const generated = orWrong(valuesOf(schema));
    if (existing.length === 0) return generated;
    return fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom<unknown>(...existing) },
      { weight: 1, arbitrary: generated },
    );
  };
  const parameters = (operation.parameters ?? []).map((parameter) => {
    const name = parameter.$ref?.split('/').at(-1);
    return (name === undefined ? undefined : document.components.parameters[name]) ?? parameter;
  });
  const objectOf = (place: Parameter['in']) => {
    const own = parameters.filter((parameter) => parameter.in === place);
    return objectsOf(
      {
        properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
        required: own.filter(({ required }) => required).map(({ name }) => name),
      },
      valuesFor,
    );
  };
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const isObject = type === json || type === form;

  return fc
    .record({
      segments: objectOf('path'),
      query: objectOf('query'),
      body: isObject && content ? objectsOf(content.schema, valuesFor) : fc.constant(undefined),
      isForm: fc.boolean(),
    })
    .map(({ segments, query, body, isForm }): FuzzedRequest => {
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(textOf(segments[name]).toWellFormed().slice(0, 1000)),
      );
      // Node rejects longer URLs
      const text = stringify(query).slice(0, 8000);
      const encoded = isForm ? stringify(body) : JSON.stringify(body);
      return {
        method: method.toUpperCase(),
        path: text === '' ? filled : `${filled}?${text}`,
        body: body && encoded,
        headers: body ? { 'Content-Type': isForm ? form : json } : {},
      };
    });
}
