import type { GraphQLSchema } from 'graphql';
import type Koa from 'koa';
import { explain } from '../rest-facade/kernel/errors.ts';
import { type ReportOutage, unavailableOf } from '../schema/client/execute.ts';
import { requestFacts } from '../schema/client/request-facts.ts';
import type { Context } from '../schema/kernel/context.ts';
import { DomainError, recordNotFound } from '../schema/kernel/errors.ts';
import { isRecordMissing } from '../schema/kernel/storage-errors.ts';
import type { Viewer } from '../schema/kernel/viewer.ts';
import { sendExplorer } from './explorer.ts';
import { startExecution } from './graphql-limits/execution-signal.ts';
import { isFromElsewhere } from './http/browser-session.ts';
import type { Logger } from './log.ts';

export interface GraphqlParts {
  readonly schema: GraphQLSchema;
  readonly contextFor: (viewer: Viewer | null, changes: Partial<Context>) => Context;
  readonly log: Logger;
  readonly reportOutage?: ReportOutage;
  /** Public base URL without a trailing slash. */
  readonly baseUrl: string;
  /** The path under which the service is reached, '' at the root. */
  readonly basePath: string;
  /** Milliseconds after which an execution is stopped; a minute by default. */
  readonly executionTime?: number;
}

/** A runner that asks for a job waits for almost as long. */
const usualTime = 60_000;

/** The core for people and programs at `/graphql`, with the explorer for browsers. */
export function graphqlEndpoint(parts: GraphqlParts): Koa.Middleware {
  let yoga: ReturnType<typeof makeYoga> | null = null;
  return async (ctx, next) => {
    if (ctx.path !== '/graphql') return next();
    ctx.state.route = '/graphql';
    if (isBrowserVisit(ctx)) return sendExplorer(ctx, `${parts.basePath}/graphql`);
    if (holdsNul(ctx)) return refuse(ctx, 'A text holds NUL');
    // before yoga, which calls every body that was read JSON
    const viewer = isOurs(ctx, parts.baseUrl) ? (ctx.state.viewer ?? null) : null;
    // the body was read, and bounded, with those of every other endpoint
    const request = Object.assign(ctx.req, { body: ctx.request.body });
    yoga ??= makeYoga(parts);
    const { handleNodeRequestAndResponse: handle } = await yoga;
    const { signal, end } = startExecution(ctx.res, parts.executionTime ?? usualTime);
    try {
      const response = await handle(request, ctx.res, { koa: ctx, viewer, signal });
      ctx.status = response.status;
      for (const [name, value] of response.headers) ctx.set(name, value);
      // whole, so that its length is sent and it can be compressed
      ctx.body = Buffer.from(await response.arrayBuffer());
    } finally {
      end();
    }
  };
}

/** Answers in the form of GraphQL when a part of the service fails before there is an operation to run. */
export const graphqlOutages =
  (reportOutage: ReportOutage): Koa.Middleware =>
  async (ctx, next) => {
    if (ctx.path !== '/graphql') return next();
    try {
      await next();
    } catch (error) {
      if (ctx.headerSent) throw error;
      const unavailable = unavailableOf(error, reportOutage, ctx.state.requestId);
      const explained = explain(unavailable);
      if (!unavailable || !explained) throw error;
      const { message, code, reason, retryAfter } = unavailable;
      const extensions = { code, retryAfter, ...(reason && { reason }) };
      ctx.status = explained.status;
      ctx.set({ ...explained.headers, 'Content-Type': 'application/json' });
      ctx.body = JSON.stringify({ errors: [{ message, extensions }] });
    }
  };

/** What the library hands on to the context of an operation. */
interface Visit {
  readonly koa: Koa.Context;
  readonly viewer: Viewer | null;
  readonly signal: AbortSignal;
}

/** Loaded at the first request: a process that serves REST and git alone saves twenty megabytes. */
async function makeYoga({ schema, contextFor, log, reportOutage = () => {} }: GraphqlParts) {
  const [{ createYoga, maskError }, { documentCaches, documentLimits }] = await Promise.all([
    import('graphql-yoga'),
    import('./graphql-limits/plugin.ts'),
  ]);
  return createYoga<Visit, Context>({
    schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    graphiql: false,
    cors: false,
    logging: false,
    multipart: false,
    parserAndValidationCache: documentCaches(),
    context: ({ koa, viewer, signal }) =>
      contextFor(viewer, {
        request: requestFacts(koa, { signal }),
      }),
    plugins: [documentLimits()],
    maskedErrors: {
      maskError: (error, message) => {
        const cause = (error as { originalError?: unknown }).originalError ?? error;
        if (cause instanceof DomainError) return error as Error;
        // somebody else removed the record, or what it refers to, at the same moment
        if (isRecordMissing(cause)) return recordNotFound();
        const unavailable = unavailableOf(cause, reportOutage);
        if (unavailable) return unavailable;
        if (cause !== error) log.error({ err: cause }, 'an operation failed');
        return maskError(error, message);
      },
    },
  });
}

/**
 * Whether whoever asks may be taken for who is signed in in the browser: a page of another site sends
 * the cookie along, but neither hides that it is one nor sends JSON unasked. A token is always meant.
 */
const isOurs = (ctx: Koa.Context, baseUrl: string): boolean =>
  ctx.state.credential?.kind !== 'session' ||
  (!isFromElsewhere(ctx, baseUrl) && (ctx.method === 'GET' || Boolean(ctx.is('application/json'))));

/** A browser opens the address, rather than a program sending an operation. */
const isBrowserVisit = (ctx: Koa.Context) =>
  (ctx.method === 'GET' || ctx.method === 'HEAD') &&
  ctx.query.query === undefined &&
  ctx.accepts('json', 'html') === 'html';

/** PostgreSQL keeps no NUL, so none gets as far: raw, as an escape of JSON, or as one of GraphQL. */
const holdsNul = (ctx: Koa.Context): boolean =>
  /\\u0000|\\u\{0+\}|%00/i.test(JSON.stringify(ctx.request.body ?? '') + ctx.querystring);

function refuse(ctx: Koa.Context, message: string): void {
  ctx.status = 400;
  ctx.set('Content-Type', 'application/json');
  ctx.body = JSON.stringify({ errors: [{ message }] });
}
