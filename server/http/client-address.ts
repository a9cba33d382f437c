import type { Middleware } from 'koa';
import proxyAddr from 'proxy-addr';

/**
 * Sets `ctx.ip` to the caller's address: the last one in X-Forwarded-For that is no proxy of ours.
 * Nobody else's headers are believed, or anybody could pass for anybody.
 */
export function clientAddress(trustedProxies: readonly string[]): Middleware {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return (ctx, next) => {
    ctx.request.ip = proxyAddr(ctx.req, isTrusted);
    return next();
  };
}
