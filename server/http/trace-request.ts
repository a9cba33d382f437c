import type { Middleware } from 'koa';
import { activeTracer } from '../../schema/kernel/tracing.ts';
import { redact } from './redact.ts';

/**
 * Records a span for each request, below the client's span if it sent one (`traceparent`). The span ends
 * when the response is sent or the client has disconnected.
 */
export const traceRequest: Middleware = async (ctx, next) => {
  const { method, path, querystring, req, res, state } = ctx;
  const span = activeTracer()?.start({
    name: method,
    kind: 'server',
    parent: {
      traceparent: header(req.headers.traceparent),
      tracestate: header(req.headers.tracestate),
    },
    attributes: {
      'http.request.method': method,
      'url.path': path,
      ...(querystring && { 'url.query': redact(querystring) }),
      'user_agent.original': ctx.get('User-Agent'),
      'client.address': ctx.ip,
      'millrace.request_id': state.requestId ?? '',
    },
  });
  if (!span) return next();
  state.traceId = span.traceId;
  res.once('close', () => {
    const { route, viewer } = state;
    if (route) span.rename(`${method} ${route}`);
    // as in the log: the client disconnected before the response was complete
    const status = res.writableFinished ? res.statusCode : 499;
    span.add({
      ...(route && { 'http.route': route }),
      ...(viewer && { 'user.id': viewer.id }),
      'http.response.status_code': status,
    });
    span.end(status >= 500 ? { code: status } : undefined);
  });
  await span.run(next);
};

const header = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? undefined : value;
