import type { Middleware } from 'koa';

/**
 * Closes the connections of a process that is stopping with their next response: a load balancer then
 * connects to another process.
 */
export const closeWhileStopping =
  (isAccepting: () => boolean): Middleware =>
  (ctx, next) => {
    if (!isAccepting()) ctx.res.setHeader('Connection', 'close');
    return next();
  };
