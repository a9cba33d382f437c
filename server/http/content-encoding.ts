import type { Context } from 'koa';

/**
 * The encoding of a response: the first of `offered` that the client accepts, in the server's order,
 * or `identity`, even for a client that excludes `identity` but accepts no other.
 */
export function contentEncoding<Encoding extends string>(
  ctx: Context,
  offered: readonly Encoding[],
): Encoding | 'identity' {
  if (!ctx.req.headers['accept-encoding']) return 'identity';
  return offered.find((encoding) => ctx.acceptsEncodings(encoding)) ?? 'identity';
}
