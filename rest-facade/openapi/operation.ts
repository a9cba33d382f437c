import type { GraphQLSchema } from 'graphql';
import { z } from 'zod';
import { type JsonSchema, readsBody, readsFile } from '../kernel/marks.ts';
import type { Route } from '../kernel/route.ts';
import { type DocumentTexts, documentTexts } from './descriptions.ts';
import { failures, failuresOf } from './failures.ts';
import { descriptionOf, parameterSchema, responseSchema } from './json-schema.ts';

/** The schemas of components, by name; operations add theirs. */
export type Components = Record<string, JsonSchema>;

const component = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** `/projects/:id/ref/*ref` → `/projects/{id}/ref/{ref}` */
export const templateOf = (path: string): string => path.replace(/[:*](\w+)/g, '{$1}');

/** `Create a label of a project` → `createLabelOfProject` */
const idOf = (title: string): string => {
  const words = title.replace(/[^\w ]/g, '').split(' ');
  const [verb = '', ...rest] = words.filter((word) => !['a', 'an', 'the'].includes(word));
  return (
    verb.toLowerCase() + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  );
};

interface Parameter {
  readonly name: string;
  readonly isRequired: boolean;
  readonly description: string | null;
  readonly schema: JsonSchema;
  readonly isFile: boolean;
  readonly isBody: boolean;
}

function parametersOf(
  { operation: { params } }: Route,
  texts: DocumentTexts,
): readonly Parameter[] {
  const shape = params instanceof z.ZodObject ? (params.shape as Record<string, z.ZodType>) : {};
  return Object.entries(shape).map(([name, field]) => ({
    name,
    isRequired: !(field instanceof z.ZodOptional || field instanceof z.ZodDefault),
    description: descriptionOf(field) ?? texts.parameter(name),
    schema: parameterSchema(field),
    isFile: readsFile(field),
    isBody: readsBody(field),
  }));
}

const described = ({ description, schema }: Parameter) => ({
  ...schema,
  ...(description !== null && { description }),
});

/** A parameter of the path, the query or a header. */
const shown = (parameter: Parameter, place: 'path' | 'query' | 'header', name: string) => ({
  name,
  in: place,
  ...((parameter.isRequired || place === 'path') && { required: true }),
  ...(parameter.description !== null && { description: parameter.description }),
  // a, b and a[]=… are accepted alike
  ...(parameter.schema.type === 'array' && place === 'query' && { style: 'form', explode: false }),
  ...(parameter.schema.type === 'object' && place === 'query' && { style: 'deepObject' }),
  schema: parameter.schema,
});

/** The encodings of a body: files need a form. */
function bodyOf(parameters: readonly Parameter[]): JsonSchema | null {
  if (parameters.length === 0) return null;
  const whole = parameters.find(({ isBody }) => isBody);
  if (whole) return { content: { 'application/octet-stream': { schema: described(whole) } } };
  const required = parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map((parameter) => [parameter.name, described(parameter)]),
    ),
    ...(required.length > 0 && { required }),
  };
  const files = parameters.filter(({ isFile }) => isFile);
  const needsForm = files.some(({ isRequired }) => isRequired);
  const forms = { 'multipart/form-data': { schema } };
  return {
    ...(required.length > 0 && { required: true }),
    content: needsForm
      ? forms
      : {
          'application/json': { schema },
          'application/x-www-form-urlencoded': { schema },
          ...(files.length > 0 && forms),
        },
  };
}

const hasBody = ({ operation, response, content }: Route): boolean =>
  operation.body !== undefined || response !== undefined || content !== undefined;

const usualStatus = (route: Route): number => {
  const { method } = route;
  if (!hasBody(route)) return 204;
  return method === 'post' ? 201 : 200;
};

const successText: Readonly<Record<number, string>> = {
  200: 'The result.',
  201: 'It was created, or the change was made.',
  202: 'It was accepted, and is done in the background.',
  204: 'It was done.',
  302: 'The content is at the address in `Location`.',
  304: 'Nothing has changed.',
};

/** Adds the shape of a successful response, with its components, and returns its content. */
function contentOf(route: Route, components: Components, texts: DocumentTexts): JsonSchema | null {
  const { response, content, operation } = route;
  if (content) return Object.fromEntries(content.map((type) => [type, {}]));
  if (!hasBody(route)) return null;
  if (!response) return { 'application/json': {} };
  const { schema, components: own } = responseSchema(response);
  texts.describe(schema, own);
  for (const [name, definition] of Object.entries(own)) {
    components[name] = mergeTexts(components[name], definition);
  }
  return {
    'application/json': { schema: operation.total ? { type: 'array', items: schema } : schema },
  };
}

/** Several documents select a component: the first that describes a field gives its text. */
function mergeTexts(existing: JsonSchema | undefined, added: JsonSchema): JsonSchema {
  if (!existing) return added;
  const properties = (existing.properties ?? {}) as Record<string, Record<string, unknown>>;
  const others = (added.properties ?? {}) as Record<string, Record<string, unknown>>;
  for (const [name, property] of Object.entries(properties)) {
    const text = others[name]?.description;
    if (text !== undefined) property.description ??= text;
  }
  return existing;
}

function successes(route: Route, components: Components, texts: DocumentTexts) {
  const { method, operation, statuses = [], responseHeaders = {} } = route;
  const declared = statuses.filter((status) => status < 400);
  const usual = typeof route.status === 'number' ? [route.status] : [];
  const computed = typeof route.status === 'function' || route.send ? declared : usual;
  const codes = computed.length > 0 ? computed : [usualStatus(route), ...declared];
  const content = method === 'head' ? null : contentOf(route, components, texts);
  const headers = {
    ...Object.fromEntries(
      Object.entries(responseHeaders).map(([name, description]) => [
        name,
        { description, schema: { type: 'string' } },
      ]),
    ),
    ...(operation.total &&
      Object.fromEntries(pageHeaders.map((name) => [name, component('headers', name)]))),
  };
  return Object.fromEntries(
    [...new Set([...codes, ...(method === 'get' ? [304] : [])])].map((code) => [
      code,
      {
        description: successText[code] ?? 'Done.',
        ...(code < 300 && Object.keys(headers).length > 0 && { headers }),
        ...(code < 300 && code !== 204 && content && { content }),
      },
    ]),
  );
}

/** The headers of a page of a listing. */
export const pageHeaders = [
  'Link',
  'X-Total',
  'X-Total-Pages',
  'X-Page',
  'X-Per-Page',
  'X-Next-Page',
  'X-Prev-Page',
] as const;

/** The parameters of every listing. */
export const pageParameters = ['page', 'per_page', 'pagination', 'cursor'] as const;

const credentials = [
  { privateToken: [] },
  { privateTokenParameter: [] },
  { accessToken: [] },
  { session: [] },
];

export interface OperationParts {
  readonly route: Route;
  /** The title of the section. */
  readonly tag: string;
  readonly schema: GraphQLSchema;
  readonly components: Components;
  /** Whether the endpoint reads the credentials of REST. */
  readonly hasCredentials: boolean;
}

/** The operation of one route, whose shapes are added to the components. */
export function operationOf({ route, tag, schema, components, hasCredentials }: OperationParts) {
  const { method, path, title, description, operation, headers = {}, access, scopes = [] } = route;
  const texts = documentTexts(operation.document, schema);
  const all = parametersOf(route, texts);
  const inPath = new Set([...path.matchAll(/[:*](\w+)/g)].map(([, name]) => name));
  const others = all.filter(({ name }) => !inPath.has(name) && !(name in headers));
  const isRead = method === 'get' || method === 'head' || method === 'delete';
  const parameters = [
    ...all
      .filter(({ name }) => inPath.has(name))
      .map((one) => ({
        ...shown(one, 'path', one.name),
        // `*path` may have slashes, which OpenAPI has no word for
        ...(path.includes(`*${one.name}`) && { 'x-multi-segment': true }),
      })),
    ...all
      .filter(({ name }) => name in headers)
      .map((one) => shown(one, 'header', headers[one.name] ?? '')),
    ...(isRead ? others.map((one) => shown(one, 'query', one.name)) : []),
    ...(operation.total ? pageParameters.map((name) => component('parameters', name)) : []),
  ];
  const requestBody = isRead ? null : bodyOf(others);
  return {
    ...(title !== undefined && { operationId: idOf(title), summary: title }),
    ...(description !== undefined && { description }),
    tags: [tag],
    ...(route.isDeprecated && { deprecated: true }),
    ...(hasCredentials && {
      security: access === 'anyone' ? [{}, ...credentials] : credentials,
      'x-scopes': ['api', ...scopes],
    }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: {
      ...successes(route, components, texts),
      ...Object.fromEntries(
        failuresOf(route).map((status) => {
          const failure = failures[status];
          if (!failure) throw new Error(`${path}: no description of status ${status}`);
          return [status, component('responses', failure.name)];
        }),
      ),
    },
  };
}
