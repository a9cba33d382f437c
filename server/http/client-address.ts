import type { Middleware } from 'koa';
import proxyAddr from 'proxy-addr';

/**
 * Sets `ctx.ip` to the client's address: the last one in X-Forwarded-For that is not a trusted proxy.
 * Headers from other clients are ignored, because any client could forge them.
 */
export function clientAddress(trustedProxies: readonly string[]): Middleware {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return (ctx, next) => {
    ctx.request.ip = proxyAddr(ctx.req, isTrusted);
    return next();
  };
}
