import cors from '@koa/cors';
import type { Middleware } from 'koa';

const paging = ['Total', 'Total-Pages', 'Per-Page', 'Page', 'Next-Page', 'Prev-Page'];

const open = cors({
  origin: '*',
  allowMethods: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS'],
  exposeHeaders: ['Link', ...paging.map((name) => `X-${name}`)],
  maxAge: 7200,
});

/** Pages of any origin may use the API: it knows no cookies that change anything. */
export const apiCors: Middleware = (ctx, next) =>
  ctx.path.startsWith('/api/') ? open(ctx, next) : next();
