import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import { contentEncoding } from './content-encoding.ts';

const compressed = promisify(gzip);

/** Bytes; a shorter response fits into one or two packets anyway. */
const least = 1024;

/** Compresses almost as well as level 6, in a quarter of the time. */
const level = 2;

const gaining =
  /^(?:text\/(?:html|css|xml|plain)|application\/(?:json|graphql-response\+json|javascript))\b/;

/**
 * Compresses buffered responses of 1 KiB or more for clients that accept gzip, in zlib's threads.
 * Streams are not compressed: most files already are, and a Content-Length is worth more.
 */
export const compress: Middleware = async (ctx, next) => {
  await next();
  // a 304 has the same Vary header as the 200; its length is unknown here
  if (ctx.status === 304) ctx.vary('Accept-Encoding');
  const { body } = ctx;
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return;
  if (body.length < least || !gaining.test(headerOf(ctx, 'Content-Type'))) return;
  if (ctx.res.hasHeader('Content-Encoding')) return;
  ctx.vary('Accept-Encoding');
  // most clients of the API accept no encoding: skip the checks below
  if (
    !ctx.req.headers['accept-encoding'] ||
    !isSafe(ctx) ||
    contentEncoding(ctx, ['gzip']) === 'identity'
  )
    return;
  const smaller = await compressed(body, { level });
  if (smaller.length >= Buffer.byteLength(body)) return;
  weakenTag(ctx);
  ctx.body = smaller;
  ctx.set('Content-Encoding', 'gzip');
};

const headerOf = ({ res }: Context, name: string) => String(res.getHeader(name) ?? '');

/** A compressed response needs a weak ETag: its bytes differ. */
function weakenTag(ctx: Context): void {
  const tag = headerOf(ctx, 'ETag');
  if (tag.startsWith('"')) ctx.set('ETag', `W/${tag}`);
}

/**
 * Whether the compressed length reveals nothing to an attacker (BREACH, ADR 30). The attack has a
 * victim's browser repeatedly send the attacker's text with the victim's credentials, and observes
 * which text shortens the response because it repeats a secret in it. It therefore needs credentials
 * that the browser adds automatically. Exempt are pages that the user opened from our own pages,
 * which no other site can repeat. Responses that issue credentials are never compressed.
 */
function isSafe(ctx: Context): boolean {
  if (headerOf(ctx, 'Cache-Control').startsWith('public')) return true;
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  if (!isRead && ctx.path !== '/graphql' && !ctx.path.startsWith('/api/soap')) return false;
  if (ctx.path.startsWith('/oauth/')) return false;
  return !hasAmbientCredentials(ctx) || isOwnNavigation(ctx);
}

const hasAmbientCredentials = ({ req: { headers } }: Context): boolean =>
  headers.cookie !== undefined || /^basic\b/i.test(headers.authorization ?? '');

/** The user followed a link on our pages or typed the URL; images and frames do not count. */
const isOwnNavigation = (ctx: Context): boolean =>
  ctx.get('Sec-Fetch-Mode') === 'navigate' &&
  ctx.get('Sec-Fetch-Dest') === 'document' &&
  /^(?:same-origin|none)$/.test(ctx.get('Sec-Fetch-Site'));
