import type { GraphQLSchema } from 'graphql';
import type { JsonSchema } from '../kernel/marks.ts';
import type { Route } from '../kernel/route.ts';
import { type Components, component } from './components.ts';
import { type DocumentTexts, documentTexts } from './descriptions.ts';
import { failuresOf } from './failures.ts';
import { inputOf } from './input.ts';
import { responseSchema } from './json-schema.ts';
import { oauthSecurityOf } from './oauth.ts';
import { selectionSchemas } from './selection.ts';
import { addUsuals } from './usuals.ts';

/** `/projects/:id/ref/*ref` → `/projects/{id}/ref/{ref}` */
export const templateOf = (path: string): string => path.replace(/[:*](\w+)/g, '{$1}');

/** `Create a label of a project` → `createLabelOfProject` */
export const idOf = (title: string): string => {
  const words = title.replace(/[^\w ]/g, '').split(' ');
  const [verb = '', ...rest] = words.filter((word) => !['a', 'an', 'the'].includes(word));
  return (
    verb.toLowerCase() + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  );
};

const usualStatus = ({ method, operation, send }: Route): number => {
  if (send) return 200;
  if (!operation.body) return 204;
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

/** The JSON of a result, or of one item of a listing; null if it is not described. */
function resultSchema({ route, schema, components }: OperationParts, texts: DocumentTexts) {
  const { response, operation } = route;
  if (response) {
    const shape = responseSchema(response, { schema, components });
    texts.describe(shape, components);
    return shape;
  }
  if (operation.isReshaped || !operation.path) return null;
  const selected = selectionSchemas(operation.document, schema, components).at(operation.path);
  return operation.total ? (selected.items as JsonSchema) : selected;
}

/** The content of a successful response, by media type. */
function contentOf(parts: OperationParts, texts: DocumentTexts): JsonSchema | null {
  const { content, operation } = parts.route;
  if (content) return Object.fromEntries(content.map((type) => [type, {}]));
  if (!operation.body && !parts.route.response) return null;
  const schema = resultSchema(parts, texts);
  if (!schema) return { 'application/json': {} };
  addUsuals(schema);
  return {
    'application/json': { schema: operation.total ? { type: 'array', items: schema } : schema },
  };
}

const location = {
  Location: { description: 'Where the content is.', schema: { type: 'string', format: 'uri' } },
};

function successResponses(parts: OperationParts, texts: DocumentTexts) {
  const { route } = parts;
  const { method, operation, statuses = [], responseHeaders = {} } = route;
  const declared = statuses.filter((status) => status < 400);
  const usual = typeof route.status === 'number' ? [route.status] : [];
  const computed = typeof route.status === 'function' || route.send ? declared : usual;
  const codes = computed.length > 0 ? computed : [usualStatus(route), ...declared];
  const content = method === 'head' ? null : contentOf(parts, texts);
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
        ...(code === 302 && { headers: location }),
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
  readonly kind: 'rest' | 'oauth';
}

const securityOf = (route: Route, kind: OperationParts['kind']) => {
  if (kind === 'oauth') return { security: oauthSecurityOf(route) };
  const { access, scopes = [], isForJobs } = route;
  const accepted = isForJobs ? [...credentials, { jobToken: [] }] : credentials;
  const security = access === 'anyone' ? [{}, ...accepted] : accepted;
  return { security, 'x-scopes': ['api', ...scopes] };
};

/** The operation of one route, whose shapes are added to the components. */
export function operationOf(parts: OperationParts) {
  const { route, tag, schema, kind } = parts;
  const { title, description, operation } = route;
  const texts = documentTexts(operation.document, schema);
  const { parameters, requestBody } = inputOf(route, texts);
  return {
    ...(title !== undefined && { operationId: idOf(title), summary: title }),
    ...(description !== undefined && { description }),
    tags: [tag],
    ...(route.isDeprecated && { deprecated: true }),
    ...securityOf(route, kind),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: {
      ...successResponses(parts, texts),
      ...Object.fromEntries(
        Object.entries(failuresOf(route, kind)).map(([status, { name }]) => [
          status,
          component('responses', name),
        ]),
      ),
    },
  };
}
