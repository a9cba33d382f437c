import type { Context } from 'koa';
import { outageOf } from '../../schema/kernel/outage.ts';

export const accessDenied = 'HTTP Basic: Access denied\n';
export const projectNotFound = 'The project you were looking for could not be found.\n';

/** The headers of `git http-backend`: proxies must cache neither references nor packs. */
export const noCacheHeaders: Readonly<Record<string, string>> = {
  Expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
  Pragma: 'no-cache',
  'Cache-Control': 'no-cache, max-age=0, must-revalidate',
};

const challenge = 'Basic realm="Millrace"';

/** Responds with plain text, which git shows to the user. */
export function answerText(ctx: Context, status: number, text: string) {
  ctx.status = status;
  ctx.set(noCacheHeaders);
  // do not read the rest of an oversized body
  if (status === 413) ctx.set('Connection', 'close');
  if (status === 401) ctx.set('WWW-Authenticate', challenge);
  ctx.type = 'text/plain; charset=utf-8';
  ctx.body = text;
}

/** What git and SSH show about an outage, with the time after which to try again; null for another error. */
export function outageText(error: unknown): string | null {
  const outage = outageOf(error)?.error;
  return outage ? `${outage.message}. Try again in ${outage.retryAfter} seconds.` : null;
}
