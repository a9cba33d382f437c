import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';

/** Gives each request an id: the client's own if it is harmless. */
export const requestId: Middleware = async (ctx, next) => {
  const given = ctx.get('X-Request-Id');
  const id = /^[\w-]{1,64}$/.test(given) ? given : randomUUID();
  ctx.state.requestId = id;
  ctx.res.setHeader('X-Request-Id', id);
  await next();
};
