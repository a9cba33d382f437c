import { STATUS_CODES } from 'node:http';
import type Koa from 'koa';
import type { ErrorCode, RequestErrorCode } from '../../schema/kernel/errors.ts';

const codes: Readonly<Record<number, ErrorCode | RequestErrorCode>> = {
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  413: 'LIMIT_EXCEEDED',
  429: 'FORBIDDEN',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'UNAVAILABLE',
  507: 'UNAVAILABLE',
};

const reasons: Readonly<Record<number, string>> = { 429: 'throttled', 507: 'storage-full' };

/** The keys of messages in the bodies of REST and OAuth, the most precise first. */
const messages = ['error_description', 'message', 'error'] as const;

/**
 * Gives errors of `/graphql` that occur outside of an operation the form of GraphQL: invalid tokens,
 * unreadable bodies, overload, outages. Runs before all middlewares that respond with errors.
 */
export const graphqlErrorBodies: Koa.Middleware = async (ctx, next) => {
  await next();
  if (ctx.path !== '/graphql' || ctx.status < 400 || ctx.state.isGraphqlResult) return;
  // a page for a browser
  if (ctx.response.is('html')) return;
  sendError(ctx, ctx.status, messageIn(ctx.body) ?? STATUS_CODES[ctx.status] ?? 'Error');
};

/** Responds with an error in the form of GraphQL. */
export function sendError(
  ctx: Koa.Context,
  status: number,
  message: string,
  code: ErrorCode | RequestErrorCode = codes[status] ?? 'BAD_REQUEST',
): void {
  const retryAfter = Number(ctx.response.get('Retry-After'));
  const reason = reasons[status];
  const extensions = { code, ...(retryAfter > 0 && { retryAfter }), ...(reason && { reason }) };
  ctx.status = status;
  ctx.set('Content-Type', 'application/json');
  ctx.state.isGraphqlResult = true;
  ctx.body = JSON.stringify({ errors: [{ message, extensions }] });
}

/** The message of an error in the form of REST, without the status at its beginning. */
function messageIn(body: unknown): string | undefined {
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return;
  const fields = parse(String(body));
  const message = messages.map((name) => fields[name]).find((text) => typeof text === 'string');
  return message?.replace(/^\d{3} /, '');
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
