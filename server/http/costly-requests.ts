import type { Context, Middleware } from 'koa';
import { Counter, type Registry } from 'prom-client';
import { busyEnvelope } from '../../soap-facade/kernel/faults.ts';

/** Bytes; a longer body makes any request costly. */
const largeBody = 256 * 1024;

interface Costly {
  readonly method: RegExp;
  readonly path: RegExp;
}

const reading = /^(GET|HEAD)$/;

/**
 * Requests that need much memory or start git; they are refused while memory is short. All others are
 * still served, such as health checks, listings, single records, sign-in and the runner protocol.
 */
const costly: readonly Costly[] = [
  { method: /^POST$/, path: /^\/(graphql|api\/soap\/?)$/ },
  { method: /^POST$/, path: /\/git-(upload|receive)-pack$/ },
  { method: /^POST$/, path: /^\/api\/v4\/ci\/lint$/ },
  {
    method: /^POST$/,
    path: /^\/api\/v4\/projects\/[^/]+\/(pipeline|merge_requests|repository\/commits)$/,
  },
  {
    method: reading,
    path: /^\/api\/v4\/projects\/[^/]+\/repository\/(archive|blobs|compare|contributors|files)/,
  },
  { method: reading, path: /^\/api\/v4\/projects\/[^/]+\/repository\/commits\/[^/]+\/diff$/ },
  {
    method: reading,
    path: /^\/api\/v4\/projects\/[^/]+\/merge_requests\/\d+\/(changes|diffs|versions)/,
  },
  // pages that render files, changes, Markdown and traces
  {
    method: reading,
    path: /^\/(?!api\/|oauth\/|uploads\/).+\/(blob|tree|commit|compare|wikis|merge_requests|jobs)\//,
  },
  // pages that start git for long
  {
    method: reading,
    path: /^\/(?!api\/|oauth\/|uploads\/).+\/(archive|blame|find_file|repository)\//,
  },
];

/** Whether a request is costly by its kind, or by the size of its body. */
function isCostly({ method, path, request, query }: Context): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding !== undefined || Number(length ?? 0) >= largeBody) return true;
  if (path === '/graphql' && query.query !== undefined) return true;
  return costly.some((kind) => kind.method.test(method) && kind.path.test(path));
}

/** Seconds. */
const retryAfter = 10;

/** The response body of each interface; other parts write those of REST, GraphQL and pages. */
const bodies: readonly { readonly path: RegExp; readonly type: string; readonly text: string }[] = [
  { path: /^\/api\/soap\/?$/, type: 'text/xml; charset=UTF-8', text: busyEnvelope },
  { path: /\/git-(upload|receive)-pack$/, type: 'text/plain', text: 'Service Unavailable\n' },
];

function refuse(ctx: Context): void {
  ctx.set('Retry-After', String(retryAfter));
  // the request body is not read
  ctx.set('Connection', 'close');
  const body = bodies.find(({ path }) => path.test(ctx.path));
  if (!body) {
    throw Object.assign(new Error('Service Unavailable'), {
      status: 503,
      expose: true,
      body: { message: '503 Service Unavailable' },
    });
  }
  ctx.status = 503;
  ctx.set('Content-Type', body.type);
  ctx.body = body.text;
}

/** Refuses costly requests while memory is short, before their bodies are read. */
export function refuseCostly(isMemoryShort: () => boolean, registry: Registry): Middleware {
  const refused = new Counter({
    name: 'millrace_requests_refused_total',
    help: 'Costly requests refused because memory was short',
    registers: [registry],
  });
  return async (ctx, next) => {
    if (isMemoryShort() && isCostly(ctx)) {
      refused.inc();
      return refuse(ctx);
    }
    return next();
  };
}
