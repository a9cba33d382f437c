import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { GraphQLInt, GraphQLNonNull, GraphQLObjectType, GraphQLSchema } from 'graphql';
import Koa from 'koa';
import { pino } from 'pino';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Context } from '../../schema/kernel/context.ts';
import { unavailable } from '../../schema/kernel/errors.ts';
import { dateTime } from '../../schema/kernel/scalars.ts';
import { graphqlEndpoint } from '../../server/graphql.ts';
import { readBody } from '../../server/http/body.ts';
import { openStreams } from '../../server/subscriptions/open-streams.ts';

const fail = (error: Error) => () => {
  throw error;
};

const record = new GraphQLObjectType({
  name: 'Record',
  fields: { id: { type: new GraphQLNonNull(GraphQLInt), resolve: () => null } },
});

const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      defect: { type: GraphQLInt, resolve: fail(new Error('the secret reason')) },
      wrongResult: { type: GraphQLInt, resolve: () => 'no number' },
      record: { type: record, resolve: () => ({}) },
      outage: { type: GraphQLInt, resolve: fail(unavailable(7, 'The database is not available')) },
      full: { type: GraphQLInt, resolve: fail(unavailable(60, 'Insufficient', 'storage-full')) },
      disk: {
        type: GraphQLInt,
        resolve: fail(Object.assign(new Error('the disk'), { code: 'ENOSPC' })),
      },
      at: { type: GraphQLInt, args: { time: { type: dateTime } }, resolve: () => 1 },
      next: {
        type: GraphQLInt,
        args: { of: { type: new GraphQLNonNull(GraphQLInt), defaultValue: 1 } },
        resolve: (_root, { of }) => of + 1,
      },
    },
  }),
});

const logged: string[] = [];
beforeEach(() => {
  logged.length = 0;
});

const app = new Koa();
app.use(readBody(['/graphql']));
app.use(
  graphqlEndpoint({
    schema,
    contextFor: (viewer, changes) => ({ ...changes, viewer }) as Context,
    log: pino({}, { write: (line: string) => logged.push(line) }),
    baseUrl: 'http://localhost',
    streams: openStreams(),
  }),
);
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => server.close());
const { port } = server.address() as AddressInfo;

async function send(query: string, variables: object = {}) {
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

test.each([
  ['defect', 'the secret reason'],
  ['wrongResult', 'Int cannot represent non-integer value'],
])('a defect is logged and not explained: %s', async (field, reason) => {
  const { status, body } = await send(`{ ${field} }`);
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      data: { [field]: null },
      errors: [
        {
          message: 'Unexpected error.',
          path: [field],
          locations: [expect.anything()],
          extensions: { code: 'INTERNAL_SERVER_ERROR' },
        },
      ],
    },
  });
  expect(logged).toEqual([expect.stringContaining(reason)]);
});

test('a result without its data is a defect', async () => {
  const { body } = await send('{ record { id } }');
  expect(body).toMatchObject({
    data: { record: null },
    errors: [{ path: ['record', 'id'], extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
  });
});

test.each([
  ['outage', 503, 7, {}],
  ['full', 507, 60, { reason: 'storage-full' }],
  ['disk', 507, 60, { reason: 'storage-full' }],
])('an outage has a path, a status and a time: %s', async (field, status, retryAfter, details) => {
  const response = await send(`{ ${field} }`);
  expect(response).toMatchObject({
    status,
    body: {
      errors: [{ path: [field], extensions: { code: 'UNAVAILABLE', retryAfter, ...details } }],
    },
  });
  expect(response.headers.get('Retry-After')).toBe(String(retryAfter));
  expect(logged).toEqual([]);
});

test.each([
  ['query ($time: DateTime) { at(time: $time) }', { time: 'soon' }, undefined],
  ['query ($of: Int! = 1) { next(of: $of) }', { of: 'one' }, undefined],
  ['query ($of: Int) { next(of: $of) }', { of: null }, ['next']],
])('invalid variables are not logged: %s', async (query, variables, path) => {
  const { body } = await send(query, variables);
  expect((body as { readonly errors: unknown }).errors).toEqual([
    {
      message: expect.any(String),
      locations: [expect.anything()],
      ...(path && { path }),
      extensions: { code: 'BAD_USER_INPUT' },
    },
  ]);
  expect(logged).toEqual([]);
});
