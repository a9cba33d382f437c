import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { GraphQLInt, GraphQLList, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import Koa from 'koa';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import type { Context } from '../../schema/kernel/context.ts';
import { graphqlEndpoint } from '../../server/graphql.ts';
import { readBody } from '../../server/http/body.ts';
import { openStreams } from '../../server/subscriptions/open-streams.ts';

/** Signals of the executions that wait, and how often the field after them was resolved. */
const waiting: AbortSignal[] = [];
let later = 0;

/** Resolves when the execution is stopped, as a query that was cancelled does. */
const wait = (_root: unknown, _args: object, { request: { signal } }: Context) =>
  new Promise<string>((resolve) => {
    if (!signal) throw new Error('an execution has a signal');
    signal.addEventListener('abort', () => resolve('stopped'));
    waiting.push(signal);
  });

const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      wait: { type: GraphQLString, resolve: wait },
      text: {
        type: GraphQLString,
        args: { length: { type: GraphQLInt } },
        resolve: (_root, { length }) => 'x'.repeat(length),
      },
      failures: {
        type: new GraphQLList(GraphQLInt),
        resolve: () => Array(200).fill('no number'),
      },
    },
  }),
  mutation: new GraphQLObjectType({
    name: 'Mutation',
    fields: {
      wait: { type: GraphQLString, resolve: wait },
      later: {
        type: GraphQLInt,
        resolve: () => {
          later += 1;
          return later;
        },
      },
    },
  }),
});

async function serve(executionTime?: number) {
  const app = new Koa();
  app.use(readBody(['/graphql']));
  app.use(
    graphqlEndpoint({
      schema,
      contextFor: (viewer, changes) => ({ ...changes, viewer }) as Context,
      log: pino({ level: 'silent' }),
      baseUrl: 'http://localhost',
      streams: openStreams(),
      ...(executionTime !== undefined && { executionTime }),
    }),
  );
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => server.close());
  const { port } = server.address() as AddressInfo;
  return (query: string, signal: AbortSignal | null = null) =>
    fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ query }),
      signal,
    });
}

const send = await serve();

test('an execution stops at its time limit with an error', async () => {
  const sendBriefly = await serve(50);
  const response = await sendBriefly('mutation { wait { result } later { result } }');
  expect({ status: response.status, body: await response.json() }).toEqual({
    status: 400,
    body: {
      errors: [expect.objectContaining({ message: 'The execution took longer than 1 seconds' })],
    },
  });
  expect(later).toBe(0);
});

test('an execution stops when its client disconnects', async () => {
  waiting.length = 0;
  const client = new AbortController();
  const response = send('mutation { wait { result } later { result } }', client.signal).catch(
    () => 'disconnected',
  );
  await expect.poll(() => waiting.length).toBeGreaterThan(0);
  client.abort();
  expect(await response).toBe('disconnected');
  await expect.poll(() => waiting[0]?.aborted).toBe(true);
  // this response follows anything the first execution might still have done
  expect((await send('{ text(length: 1) }')).status).toBe(200);
  expect(later).toBe(0);
});

test('a response above the size limit is replaced by an error', async () => {
  const response = await send(`{ text(length: ${17 * 2 ** 20}) }`);
  expect({ status: response.status, body: await response.json() }).toEqual({
    status: 400,
    body: {
      errors: [
        expect.objectContaining({ message: 'The answer is longer than the limit of 16 MB' }),
      ],
    },
  });
});

test('a response has at most 50 errors', async () => {
  const body = (await (await send('{ failures }')).json()) as { readonly errors: unknown[] };
  expect(body.errors).toHaveLength(50);
});
