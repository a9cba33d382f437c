import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import { contentEncoding } from './content-encoding.ts';

const compressed = promisify(gzip);

/** Bytes; a shorter answer fits into a packet or two as it is. */
const least = 1024;

/** Almost what 6 gains, for a quarter of its time. */
const level = 2;

const gaining =
  /^(?:text\/(?:html|css|xml|plain)|application\/(?:json|graphql-response\+json|javascript))\b/;

/**
 * Compresses whole answers of 1 KiB and more for clients that accept gzip, in zlib's threads. Streams
 * go as they are: files are mostly compressed already, and their length is worth more.
 */
export const compress: Middleware = async (ctx, next) => {
  await next();
  // a 304 has the header of the answer it stands for, whose length is no longer there to be seen
  if (ctx.status === 304) ctx.vary('Accept-Encoding');
  const { body } = ctx;
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return;
  if (body.length < least || !gaining.test(headerOf(ctx, 'Content-Type'))) return;
  if (ctx.res.hasHeader('Content-Encoding')) return;
  ctx.vary('Accept-Encoding');
  // most programs accept none: nothing more is looked at for them
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

/** What is compressed is the same only by meaning, no longer byte by byte. */
function weakenTag(ctx: Context): void {
  const tag = headerOf(ctx, 'ETag');
  if (tag.startsWith('"')) ctx.set('ETag', `W/${tag}`);
}

/**
 * Whether the length of the compressed answer tells an attacker nothing (BREACH, ADR 30). The attack
 * has a victim's browser send text of the attacker's with the victim's credentials, again and again,
 * and sees which text makes the answer shorter, as it repeats a secret of it. So it takes credentials
 * that the browser adds by itself, unless the user opened the address from a page of ours, which no
 * other site can repeat. Answers that hand out credentials are never compressed.
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

/** The user followed a link of ours or typed the address; an image or a frame in a text is neither. */
const isOwnNavigation = (ctx: Context): boolean =>
  ctx.get('Sec-Fetch-Mode') === 'navigate' &&
  ctx.get('Sec-Fetch-Dest') === 'document' &&
  /^(?:same-origin|none)$/.test(ctx.get('Sec-Fetch-Site'));
