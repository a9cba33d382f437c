import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { EventLoopWatch } from './event-loop.ts';
import { redact } from './redact.ts';

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts requests by endpoint and status. Metric children are cached: a lookup hashes the labels. */
function requestCounts(registry: Registry) {
  const total = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte read to the last one written',
    labelNames: ['method', 'route'],
    buckets: seconds,
    registers: [registry],
  });
  const children = new Map<
    string,
    { readonly count: () => void; readonly took: (s: number) => void }
  >();

  return (method: string, route: string, status: number, took: number) => {
    const key = `${method} ${status} ${route}`;
    let child = children.get(key);
    if (!child) {
      const counter = total.labels(method, route, String(status));
      const histogram = duration.labels(method, route);
      child = { count: () => counter.inc(), took: (s) => histogram.observe(s) };
      children.set(key, child);
    }
    child.count();
    child.took(took);
  };
}

/** Logs and counts each request once its response is sent or the client has disconnected. */
export function requestLog(
  logger: Logger,
  registry: Registry,
  eventLoop: EventLoopWatch,
): Middleware {
  const count = requestCounts(registry);
  return async (ctx, next) => {
    const start = performance.now();
    const { res } = ctx;
    const activity = { start, name: () => `${ctx.method} ${ctx.state.route ?? 'other'}` };
    eventLoop.begin(activity);
    res.once('close', () => {
      eventLoop.end(activity);
      const milliseconds = performance.now() - start;
      // 499: the client disconnected before the response was complete
      const status = res.writableFinished ? res.statusCode : 499;
      const { requestId, traceId, viewer, sudoerId, route = 'other' } = ctx.state;
      count(ctx.method, route, status, milliseconds / 1000);
      if (!logger.isLevelEnabled('info')) return;
      logger.info(
        {
          method: ctx.method,
          path: ctx.path,
          ...(ctx.querystring && { query: redact(ctx.querystring) }),
          status,
          duration: Math.round(milliseconds * 10) / 10,
          requestId,
          ...(traceId && { trace_id: traceId }),
          userId: viewer?.id ?? null,
          // the administrator who acted as that user
          ...(sudoerId && { sudoerId }),
        },
        'request',
      );
    });
    await next();
  };
}
