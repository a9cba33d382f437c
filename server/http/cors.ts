import cors from '@koa/cors';
import type { Middleware } from 'koa';

const paging = ['Total', 'Total-Pages', 'Per-Page', 'Page', 'Next-Page', 'Prev-Page'];

const open = cors({
  origin: '*',
  allowMethods: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS'],
  exposeHeaders: ['Link', ...paging.map((name) => `X-${name}`)],
  maxAge: 7200,
});

/** Endpoints that a browser application needs for its token; none of them reads cookies. */
const ofTokens: ReadonlySet<string> = new Set([
  '/oauth/token',
  '/oauth/token/info',
  '/oauth/revoke',
  '/oauth/userinfo',
  '/oauth/discovery/keys',
]);

/** Pages of any origin may use the API: cookies authenticate no changes in it. */
export const apiCors: Middleware = (ctx, next) =>
  ctx.path.startsWith('/api/') || ofTokens.has(ctx.path) ? open(ctx, next) : next();
