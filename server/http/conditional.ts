import { hash } from 'node:crypto';
import type { Context, Middleware } from 'koa';

/** Whether an If-None-Match header contains `tag`, which includes its quotes. */
export const matches = (header: string, tag: string): boolean =>
  header.split(',').some((part) => {
    const candidate = part.trim();
    return candidate === '*' || candidate.replace(/^W\//, '') === tag;
  });

/**
 * Adds an ETag to the JSON of a GET, and responds with 304 if the client has that version. Removes
 * the headers that describe a body from every 304.
 */
export const conditional: Middleware = async (ctx, next) => {
  await next();
  tagJson(ctx);
  if (ctx.status === 304) {
    ctx.body = null;
    for (const header of ['Content-Type', 'Content-Length']) ctx.remove(header);
  }
};

function tagJson(ctx: Context): void {
  const { res, body } = ctx;
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  const isJson = Buffer.isBuffer(body) && res.getHeader('Content-Type') === 'application/json';
  if (!isRead || ctx.status !== 200 || !isJson) {
    if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-cache');
    return;
  }
  const tag = `"${hash('sha1', body, 'base64url')}"`;
  res.setHeader('ETag', `W/${tag}`);
  if (!res.hasHeader('Cache-Control')) {
    res.setHeader('Cache-Control', 'max-age=0, private, must-revalidate');
  }
  if (matches(ctx.get('If-None-Match'), tag)) ctx.status = 304;
}
