import type { AddressInfo } from 'node:net';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import {
  GraphQLBoolean,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  parse,
} from 'graphql';
import Koa from 'koa';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { mount } from '../../../rest-facade/kernel/mount.ts';
import type { Route } from '../../../rest-facade/kernel/route.ts';
import { createExecute, type Viewer } from '../../../schema/client/execute.ts';
import type { Context } from '../../../schema/kernel/context.ts';
import {
  conflict,
  DomainError,
  forbidden,
  invalid,
  notFound,
} from '../../../schema/kernel/errors.ts';
import { type FileReception, readBody } from '../../../server/http/body.ts';
import { conditional } from '../../../server/http/conditional.ts';
import { apiCors } from '../../../server/http/cors.ts';
import { catchErrors } from '../../../server/http/errors.ts';
import { watchEventLoop } from '../../../server/http/event-loop.ts';
import { standardHeaders } from '../../../server/http/headers.ts';
import { requestId } from '../../../server/http/request-id.ts';
import { requestLog } from '../../../server/http/request-log.ts';

/** A document of the schema below, typed by hand. */
export const document = <Data, Variables>(text: string) =>
  parse(text) as TypedDocumentNode<Data, Variables>;

const failures: Record<string, () => Error> = {
  hidden: () => notFound('Project'),
  denied: () => forbidden(),
  taken: () => conflict('Member already exists'),
  wrong: () => invalid({ name: ['has already been taken'] }),
  worded: () => new DomainError('INVALID', 'Tag name invalid'),
  bug: () => new Error('something with secrets in it'),
};

const text = new GraphQLNonNull(GraphQLString);

const thing = new GraphQLObjectType({
  name: 'Thing',
  fields: { page: { type: GraphQLInt }, perPage: { type: GraphQLInt } },
});

const thingPage = new GraphQLObjectType({
  name: 'ThingPage',
  fields: {
    total: { type: new GraphQLNonNull(GraphQLInt) },
    nodes: { type: new GraphQLList(thing) },
  },
});

const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      /** Returns its arguments, so that a test can check them. */
      echo: {
        type: text,
        args: { text: { type: text }, unset: { type: GraphQLString, defaultValue: 'the default' } },
        resolve: async (_root, args: { readonly text: string; readonly unset: string }) => {
          const failure = failures[args.text];
          if (failure) throw failure();
          return JSON.stringify({ text: args.text, unset: args.unset });
        },
      },
      /** A listing whose only node is the page that was requested. */
      things: {
        type: thingPage,
        args: {
          level: { type: GraphQLInt },
          page: { type: GraphQLInt },
          perPage: { type: GraphQLInt },
        },
        resolve: (_root, args) => ({ total: 45, nodes: [args] }),
      },
      may: {
        type: new GraphQLNonNull(GraphQLBoolean),
        args: { project: { type: text } },
        resolve: async (_root, args: { readonly project: string }) => {
          if (args.project === 'denied') throw forbidden();
          return true;
        },
      },
    },
  }),
});

export const user = { id: 7, username: 'ada', isAdmin: false } as unknown as Viewer;
export const administrator = { ...user, id: 1, isAdmin: true };
const viewers: Record<string, Viewer> = { ada: user, root: administrator };

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

/** The complete middleware around `routes`, on a loopback port; the header `viewer` names the caller. */
export async function serve(
  routes: readonly Route[],
  url = 'https://code.example',
  files?: FileReception,
) {
  const lines: Record<string, unknown>[] = [];
  const logger = pino(
    { level: 'info' },
    { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const registry = new Registry();
  const execute = createExecute(schema, () => ({}) as Context);
  const rejectStream = () => Promise.reject(new Error('nothing streams here'));
  const jobFiles = {
    openTrace: rejectStream,
    openArtifacts: rejectStream,
    artifactsUrl: rejectStream,
    openArtifactsEntry: rejectStream,
  };
  const streamsFor = () => ({
    openBlob: rejectStream,
    canArchive: rejectStream,
    openArchive: rejectStream,
    jobFiles,
  });
  const app = new Koa()
    .use(requestId)
    .use(
      requestLog(
        logger,
        registry,
        watchEventLoop({ log: logger, registry, isWatched: () => false }),
      ),
    )
    .use(standardHeaders)
    .use(apiCors)
    .use(conditional)
    .use(catchErrors(logger))
    .use(readBody(undefined, files))
    .use((ctx, next) => {
      ctx.state.viewer = viewers[ctx.get('viewer')] ?? null;
      return next();
    })
    .use(mount(routes, { prefix: '/api/v4', execute, url, streamsFor }));
  // a disconnected caller is not an error
  app.on('error', () => undefined);
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;

  const send = async (method: string, path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v4${path}`, { method, ...init });
    const text = await response.text();
    const isJson = response.headers.get('content-type') === 'application/json';
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    };
  };

  return {
    send,
    port,
    lines,
    registry,
    execute,
    post: (path: string, type: string, body: string | Uint8Array<ArrayBuffer> | FormData) =>
      send('POST', path, { body, ...(type && { headers: { 'content-type': type } }) }),
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
