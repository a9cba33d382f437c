import type { ExecutionResult, GraphQLSchema } from 'graphql';
import type Koa from 'koa';
import { disconnectSignal } from '../schema/client/disconnect-signal.ts';
import type { ReportOutage } from '../schema/client/execute.ts';
import { requestFacts } from '../schema/client/request-facts.ts';
import type { Context } from '../schema/kernel/context.ts';
import { activeTracer } from '../schema/kernel/tracing.ts';
import type { Viewer } from '../schema/kernel/viewer.ts';
import { sendExplorer } from './explorer/explorer.ts';
import { sendError } from './graphql-errors/http-errors.ts';
import { publicError } from './graphql-errors/public-error.ts';
import { startExecution } from './graphql-limits/execution-signal.ts';
import { isFromElsewhere } from './http/browser-session.ts';
import type { Logger } from './log.ts';
import { identifyCaller } from './scheduling/scope.ts';
import { eventStream } from './subscriptions/event-stream.ts';
import type { OpenStream, OpenStreams, SubscriptionLimits } from './subscriptions/open-streams.ts';
import type { Subscription } from './subscriptions/plugin.ts';

interface GraphqlParts {
  readonly schema: GraphQLSchema;
  readonly contextFor: (viewer: Viewer | null, changes: Partial<Context>) => Context;
  readonly log: Logger;
  readonly reportOutage?: ReportOutage;
  /** Public base URL without a trailing slash. */
  readonly baseUrl: string;
  readonly streams: OpenStreams;
  /** Milliseconds after which an execution, or that of one event, is stopped; a minute by default. */
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
    if (isBrowserVisit(ctx)) return sendExplorer(ctx);
    if (holdsNul(ctx)) return sendError(ctx, 400, 'A text holds NUL', 'BAD_USER_INPUT');
    // yoga would read a body without fields again
    if (isEmptyObject(ctx)) return sendError(ctx, 400, 'Must provide query string.');
    // before yoga, which treats every parsed body as JSON
    const viewer = isOurs(ctx, parts.baseUrl) ? (ctx.state.viewer ?? null) : null;
    identifyCaller(viewer);
    // the common middleware has already read the body within its limits
    const request = Object.assign(ctx.req, { body: ctx.request.body });
    yoga ??= makeYoga(parts);
    const { handleNodeRequestAndResponse: handle } = await yoga;
    const { signal, end } = startExecution(ctx.res, parts.executionTime ?? usualTime);
    const subscription = subscriptionOf(ctx, viewer);
    try {
      const response = await handle(request, ctx.res, { koa: ctx, viewer, signal, subscription });
      const { stream, results } = subscription;
      if (stream && results) return sendEvents(ctx, results, stream, parts.streams.limits);
      ctx.status = response.status;
      for (const [name, value] of response.headers) ctx.set(name, value);
      // buffered, so that it has a Content-Length and can be compressed
      const body = Buffer.from(await response.arrayBuffer());
      ctx.body = body;
      // yoga rejects methods and media types without a body
      ctx.state.isGraphqlResult = body.length > 0;
    } finally {
      end();
      if (!subscription.results) subscription.stream?.end('finished');
    }
  };
}

/** The subscription that a request may open. A request from elsewhere stays anonymous. */
const subscriptionOf = (ctx: Koa.Context, viewer: Viewer | null): Subscription => ({
  identify: viewer === null && ctx.state.credential ? async () => ({ viewer }) : ctx.state.identify,
  stream: null,
  results: null,
});

/** Streams the results; not buffered, compressed or limited in time as other responses are. */
function sendEvents(
  ctx: Koa.Context,
  results: AsyncIterable<ExecutionResult>,
  stream: OpenStream,
  { keepAliveMs }: SubscriptionLimits,
): void {
  ctx.state.route = '/graphql (subscription)';
  const body = eventStream(results, stream, keepAliveMs);
  const signal = disconnectSignal(ctx.res);
  signal.addEventListener('abort', () => body.destroy(), { once: true });
  if (signal.aborted) body.destroy();
  // Koa, yoga, the pipeline and our own middlewares each add one for close
  ctx.res.setMaxListeners(20);
  ctx.status = 200;
  ctx.set('Content-Type', 'text/event-stream');
  ctx.set('Cache-Control', 'no-store');
  // proxies must not wait for the end; the connection ends with the stream
  ctx.set('X-Accel-Buffering', 'no');
  ctx.set('Connection', 'close');
  ctx.body = body;
}

/** The server context that yoga passes to `context`. */
interface Visit {
  readonly koa: Koa.Context;
  readonly viewer: Viewer | null;
  readonly signal: AbortSignal;
  readonly subscription: Subscription;
}

/** Loaded at the first request: a process that serves only REST and git saves 20 MB. */
async function makeYoga({
  schema,
  contextFor,
  log,
  reportOutage = () => {},
  streams,
  executionTime = usualTime,
}: GraphqlParts) {
  const [
    { createYoga, maskError },
    { documentCaches, documentLimits },
    { subscriptions },
    { publicView },
    tracing,
  ] = await Promise.all([
    import('graphql-yoga'),
    import('./graphql-limits/plugin.ts'),
    import('./subscriptions/plugin.ts'),
    import('../schema/public/view.ts'),
    activeTracer() ? import('./telemetry/operations-plugin.ts') : null,
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
    plugins: [
      documentLimits(),
      subscriptions({ streams, executionTime }),
      ...(tracing ? [tracing.tracedOperations()] : []),
    ],
    maskedErrors: {
      maskError: (error, message) =>
        publicError(error, {
          reportOutage,
          reportFailure: (err) => log.error({ err }, 'an operation failed'),
          hide: (hidden) => maskError(hidden, message),
        }),
    },
  });
}

/**
 * Whether a request may use the browser session. A page of another site sends the cookie too, but it
 * can neither hide its origin nor send JSON without a preflight. Tokens are always accepted.
 */
const isOurs = (ctx: Koa.Context, baseUrl: string): boolean =>
  ctx.state.credential?.kind !== 'session' ||
  (!isFromElsewhere(ctx, baseUrl) && (ctx.method === 'GET' || needsPreflight(ctx)));

/** A form may carry the cookie of another site's visitor unless a header forces a preflight. */
const needsPreflight = (ctx: Koa.Context): boolean =>
  Boolean(ctx.is('application/json')) ||
  ['X-Requested-With', 'GraphQL-Require-Preflight'].some((name) => ctx.get(name) !== '');

/** A browser opens the URL, rather than a program sending an operation. */
const isBrowserVisit = (ctx: Koa.Context) =>
  (ctx.method === 'GET' || ctx.method === 'HEAD') &&
  ctx.query.query === undefined &&
  ctx.accepts('json', 'html') === 'html';

const isEmptyObject = (ctx: Koa.Context): boolean =>
  ctx.request.body !== undefined && Object.keys(ctx.request.body).length === 0;

/** PostgreSQL stores no NUL, so it is refused: raw, or escaped in JSON or GraphQL. */
const holdsNul = (ctx: Koa.Context): boolean =>
  /\\u0000|\\u\{0+\}|%00/i.test(JSON.stringify(ctx.request.body ?? '') + ctx.querystring);
