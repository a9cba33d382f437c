import { hash } from 'node:crypto';
import type { Context, Middleware } from 'koa';

/** Whether `tag`, in its quotes, is among those of an If-None-Match header. */
export const matches = (header: string, tag: string): boolean =>
  header.split(',').some((part) => {
    const known = part.trim();
    return known === '*' || known.replace(/^W\//, '') === tag;
  });

/**
 * Tags the JSON of a GET and answers with 304 where the caller has it already. No 304, from here or
 * from below, describes a body.
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
