import type { Context } from 'koa';
import { noCacheHeaders } from '../git-http/responses.ts';

/** The media type of requests and responses. */
export const mediaType = 'application/vnd.git-lfs+json';

const challenge = 'Basic realm="Millrace"';

/** An error of a request, with the status and the text that git-lfs shows. */
export class LfsRefusal extends Error {
  readonly status: number;
  /** Seconds until the client may retry. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, retryAfter?: number) {
    super(message);
    this.name = 'LfsRefusal';
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Responds with JSON. */
export function answerJson(ctx: Context, status: number, body: object): void {
  ctx.status = status;
  ctx.set(noCacheHeaders);
  ctx.body = JSON.stringify(body);
  ctx.set('Content-Type', mediaType);
}

/** Responds with an error in the form of the LFS API. */
export function answerRefusal(ctx: Context, { status, message, retryAfter }: LfsRefusal): void {
  if (status === 401) {
    ctx.set('LFS-Authenticate', challenge);
    ctx.set('WWW-Authenticate', challenge);
  }
  if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter));
  // the rest of a refused object is not read
  if (!ctx.req.complete) ctx.set('Connection', 'close');
  answerJson(ctx, status, { message: message.trim(), request_id: ctx.state.requestId });
}
