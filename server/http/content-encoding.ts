import type { Context } from 'koa';

/**
 * The encoding for an answer: the first of `offered` that the client accepts, in the server's order,
 * or `identity`. A client that excludes `identity` is given it all the same where nothing else is left.
 */
export function contentEncoding<Encoding extends string>(
  ctx: Context,
  offered: readonly Encoding[],
): Encoding | 'identity' {
  if (!ctx.req.headers['accept-encoding']) return 'identity';
  return offered.find((encoding) => ctx.acceptsEncodings(encoding)) ?? 'identity';
}
