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

interface GraphqlParts {
  readonly schema: GraphQLSchema;
  readonly contextFor: (viewer: Viewer | null, changes: Partial<Context>) => Context;
  readonly log: Logger;
  readonly reportOutage?: ReportOutage;
  /** Public base URL without a trailing slash. */
  readonly baseUrl: string;
  /** The path prefix of the service, '' at the root. */
  readonly basePath: string;
  /** Milliseconds after which an execution is stopped; a minute by default. */
  readonly executionTime?: number;
}

/** Long polling for a job takes almost as long. */
const usualTime = 60_000;

/** The GraphQL endpoint at `/graphql`; browsers get the explorer. */
export function graphqlEndpoint(parts: GraphqlParts): Koa.Middleware {
  let yoga: ReturnType<typeof makeYoga> | null = null;
  return async (ctx, next) => {
    if (ctx.path !== '/graphql') return next();
    ctx.state.route = '/graphql';
    if (isBrowserVisit(ctx)) return sendExplorer(ctx, `${parts.basePath}/graphql`);
    if (holdsNul(ctx)) return refuse(ctx, 'A text holds NUL');
    // before yoga, which treats every parsed body as JSON
    const viewer = isOurs(ctx, parts.baseUrl) ? (ctx.state.viewer ?? null) : null;
    // the common middleware has already read the body within its limits
    const request = Object.assign(ctx.req, { body: ctx.request.body });
    yoga ??= makeYoga(parts);
    const { handleNodeRequestAndResponse: handle } = await yoga;
    const { signal, end } = startExecution(ctx.res, parts.executionTime ?? usualTime);
    try {
      const response = await handle(request, ctx.res, { koa: ctx, viewer, signal });
      ctx.status = response.status;
      for (const [name, value] of response.headers) ctx.set(name, value);
      // buffered, so that it has a Content-Length and can be compressed
      ctx.body = Buffer.from(await response.arrayBuffer());
    } finally {
      end();
    }
  };
}

/** Reports an outage in the form of GraphQL when it happens before an operation runs. */
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

/** The server context that yoga passes to `context`. */
interface Visit {
  readonly koa: Koa.Context;
  readonly viewer: Viewer | null;
  readonly signal: AbortSignal;
}

/** Loaded at the first request: a process that serves only REST and git saves 20 MB. */
async function makeYoga({ schema, contextFor, log, reportOutage = () => {} }: GraphqlParts) {
  const [{ createYoga, maskError }, { documentCaches, documentLimits }, { publicView }] =
    await Promise.all([
      import('graphql-yoga'),
      import('./graphql-limits/plugin.ts'),
      import('../schema/public/view.ts'),
    ]);
  return createYoga<Visit, Context>({
    schema: publicView(schema),
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
        // a concurrent request deleted the record, or a record that it refers to
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
 * Whether a request may use the browser session. A page of another site sends the cookie too, but it
 * can neither hide its origin nor send JSON without a preflight. Tokens are always accepted.
 */
const isOurs = (ctx: Koa.Context, baseUrl: string): boolean =>
  ctx.state.credential?.kind !== 'session' ||
  (!isFromElsewhere(ctx, baseUrl) && (ctx.method === 'GET' || Boolean(ctx.is('application/json'))));

/** A browser opens the URL, rather than a program sending an operation. */
const isBrowserVisit = (ctx: Koa.Context) =>
  (ctx.method === 'GET' || ctx.method === 'HEAD') &&
  ctx.query.query === undefined &&
  ctx.accepts('json', 'html') === 'html';

/** PostgreSQL stores no NUL, so it is refused: raw, or escaped in JSON or GraphQL. */
const holdsNul = (ctx: Koa.Context): boolean =>
  /\\u0000|\\u\{0+\}|%00/i.test(JSON.stringify(ctx.request.body ?? '') + ctx.querystring);

function refuse(ctx: Koa.Context, message: string): void {
  ctx.status = 400;
  ctx.set('Content-Type', 'application/json');
  ctx.body = JSON.stringify({ errors: [{ message }] });
}
