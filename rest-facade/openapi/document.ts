import type { GraphQLSchema } from 'graphql';
import type { z } from 'zod';
import type { Section } from '../kernel/route.ts';
import type { Components } from './components.ts';
import type { Failure } from './failure.ts';
import { failuresOf } from './failures.ts';
import { type ResponseParts, responseSchema } from './json-schema.ts';
import { idOf, operationOf, templateOf } from './operation.ts';
import { addUsuals } from './usuals.ts';
import { type DocumentedWebhook, webhooksOf } from './webhooks.ts';

/** A JSON document that is the same for all clients. */
export interface JsonFile {
  readonly path: string;
  readonly title: string;
  /** The title of its section. */
  readonly tag: string;
  readonly response: z.ZodType;
}

/** The endpoints below one prefix. */
export interface Mounted {
  readonly prefix: string;
  readonly sections: readonly Section[];
  /** REST and OAuth differ in their credentials and failures. */
  readonly kind: 'rest' | 'oauth';
}

const text = (description: string) => ({ description, schema: { type: 'string' } });
const number = (description: string) => ({ description, schema: { type: 'integer' } });

const headers = {
  Link: text('The addresses of other pages (RFC 8288).'),
  'X-Total': number('The number of all items.'),
  'X-Total-Pages': number('The number of pages.'),
  'X-Page': number('The number of this page.'),
  'X-Per-Page': number('The number of items of a page.'),
  'X-Next-Page': text('The number of the next page; empty on the last page.'),
  'X-Prev-Page': text('The number of the previous page; empty on the first page.'),
};

const query = (name: string, description: string, schema: object) => ({
  name,
  in: 'query',
  description,
  schema,
});

const parameters = {
  page: query('page', 'The number of the page, from 1.', { type: 'integer', default: 1 }),
  per_page: query('per_page', 'The number of items of a page; at most 100 are sent.', {
    type: 'integer',
    default: 20,
  }),
  pagination: query(
    'pagination',
    '`keyset` reads pages by keys: they have a `Link` to the next page, and no totals.',
    { type: 'string', enum: ['keyset'] },
  ),
  cursor: query('cursor', 'The start of a page that is read by keys, from the last `Link`.', {
    type: 'string',
  }),
};

const securitySchemes = {
  privateToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Private-Token',
    description: 'A personal access token, an impersonation token or a private token.',
  },
  privateTokenParameter: {
    type: 'apiKey',
    in: 'query',
    name: 'private_token',
    description: 'The same as `Private-Token`.',
  },
  accessToken: { type: 'http', scheme: 'bearer', description: 'An OAuth access token.' },
  client: { type: 'http', scheme: 'basic', description: 'The Application ID and its secret.' },
  jobToken: {
    type: 'apiKey',
    in: 'header',
    name: 'JOB-TOKEN',
    description: 'The token of a running CI job, for the project of the job.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '_millrace_session',
    description: 'The session of a browser, for reading only.',
  },
};

/** Headers that every response may have, and that operations do not repeat. */
const commonHeaders = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Cache-Control',
  'Content-Encoding',
  'ETag',
  'Pragma',
  'Vary',
  'X-Content-Type-Options',
  'X-Frame-Options',
  'X-Request-Id',
  'X-Runtime',
];

/** The failures of any endpoint, by name. */
const usedFailures = (mounted: readonly Mounted[]): ReadonlyMap<string, Failure> =>
  new Map(
    mounted.flatMap(({ sections, kind }) =>
      sections.flatMap(({ routes }) =>
        routes.flatMap((route) =>
          Object.values(failuresOf(route, kind)).map((failure) => [failure.name, failure] as const),
        ),
      ),
    ),
  );

const jsonContent = (shape: z.ZodType, parts: ResponseParts) => ({
  'application/json': { schema: responseSchema(shape, parts) },
});

const failureResponse = ({ description, headers: own, shape }: Failure, parts: ResponseParts) => ({
  description,
  ...(own && {
    headers: Object.fromEntries(Object.entries(own).map(([name, about]) => [name, text(about)])),
  }),
  content: jsonContent(shape, parts),
});

const fileOperation = ({ title, tag, response }: JsonFile, parts: ResponseParts) => ({
  operationId: idOf(title),
  summary: title,
  tags: [tag],
  security: [],
  responses: { 200: { description: 'The document.', content: jsonContent(response, parts) } },
});

interface DocumentFacts {
  /** The public base URL. */
  readonly url: string;
  readonly version: string;
  readonly files: readonly JsonFile[];
  readonly webhooks: Readonly<Record<string, DocumentedWebhook>>;
  /** By endpoint, for routes without a title: `GET /projects/:id`. */
  readonly titles: ReadonlyMap<string, { readonly title: string; readonly description?: string }>;
}

/** The OpenAPI 3.1 document of all endpoints. */
export function openApiDocument(
  mounted: readonly Mounted[],
  schema: GraphQLSchema,
  { url, version, files, webhooks, titles }: DocumentFacts,
): object {
  const components: Components = {};
  const paths: Record<string, Record<string, object>> = {};
  for (const { prefix, sections, kind } of mounted) {
    for (const { title: tag, routes } of sections) {
      for (const route of routes) {
        const path = `${prefix}${templateOf(route.path)}`;
        paths[path] ??= {};
        const name = `${route.method.toUpperCase()} ${route.path}`;
        const soapMethod = titles.get(name);
        paths[path][route.method] = operationOf({
          route: { ...soapMethod, ...route },
          tag,
          schema,
          components,
          kind,
        });
      }
    }
  }
  const parts = { schema, components };
  for (const file of files) paths[file.path] = { get: fileOperation(file, parts) };
  const sentWebhooks = webhooksOf(webhooks, parts);
  const responses = Object.fromEntries(
    [...usedFailures(mounted)].map(([name, failure]) => [name, failureResponse(failure, parts)]),
  );
  for (const schema of Object.values(components)) addUsuals(schema);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Millrace',
      version,
      summary: 'Source hosting and CI over REST v4 and OAuth 2.0.',
      description: [
        'Parameters of a request body may also be sent in the query. Lists are accepted as JSON arrays,',
        'as `name[]=a&name[]=b`, and as `a,b`. A project or group is named by its id or by its full path',
        'with `/` encoded as `%2F`.',
      ].join(' '),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    tags: mounted.flatMap(({ sections }) =>
      sections.map(({ title, description }) => ({ name: title, description })),
    ),
    paths,
    webhooks: sentWebhooks,
    'x-common-headers': commonHeaders,
    components: {
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
      headers,
      parameters,
      securitySchemes,
      responses,
    },
  };
}
