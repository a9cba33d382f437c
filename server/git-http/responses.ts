import type { Context } from 'koa';

export const accessDenied = 'HTTP Basic: Access denied\n';
export const projectNotFound = 'The project you were looking for could not be found.\n';

/** What `git http-backend` sends: neither refs nor packs may be kept by anyone between. */
export const noCacheHeaders: Readonly<Record<string, string>> = {
  Expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
  Pragma: 'no-cache',
  'Cache-Control': 'no-cache, max-age=0, must-revalidate',
};

const challenge = 'Basic realm="Millrace"';

/** Answers in plain text, as git shows it to the person at the terminal. */
export function answerText(ctx: Context, status: number, text: string) {
  ctx.status = status;
  ctx.set(noCacheHeaders);
  // the rest of a body that is too large is not read
  if (status === 413) ctx.set('Connection', 'close');
  if (status === 401) ctx.set('WWW-Authenticate', challenge);
  ctx.type = 'text/plain; charset=utf-8';
  ctx.body = text;
}
