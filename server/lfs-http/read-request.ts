import type { Context } from 'koa';
import type { z } from 'zod';
import { holdFor } from '../http/body-budget.ts';
import { parseJsonBody } from '../http/json-body.ts';
import { readBytes } from '../http/read-bytes.ts';
import { LfsRefusal, mediaType } from './responses.ts';

/** Bytes; a thousand objects take a tenth of it. */
const longestBody = 2 ** 20;

const accepted = new Set([mediaType, 'application/*', '*/*']);
const bodyTypes = new Set([mediaType, 'application/json']);

/** Throws 406 unless the client accepts the media type of the responses. */
export function requireAccept(ctx: Context): void {
  const header = ctx.get('Accept');
  // clients add a charset, which JSON does not have
  const types = header.split(',').map((part) => part.split(';')[0]?.trim().toLowerCase() ?? '');
  if (header === '' || types.some((type) => accepted.has(type))) return;
  throw new LfsRefusal(406, `The Accept header must allow ${mediaType}`);
}

/** Reads a JSON body; throws 413, 415 and 422 for one that is too long, of another type or invalid. */
export async function readBody<T extends z.ZodType>(ctx: Context, shape: T): Promise<z.output<T>> {
  const { 'content-encoding': encoding = 'identity' } = ctx.req.headers;
  if (encoding !== 'identity') {
    throw new LfsRefusal(415, `The content encoding ${encoding} is not supported`);
  }
  if (!bodyTypes.has(ctx.request.type)) {
    throw new LfsRefusal(415, `The content type must be ${mediaType}`);
  }
  const read = await readBytes(ctx.req, longestBody, holdFor(ctx.res));
  if (read.isTooLong) throw new LfsRefusal(413, 'The request is too large');
  const body = jsonOf(read.bytes);
  const parsed = shape.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new LfsRefusal(422, `${issue?.path.join('.') || 'The body'}: ${issue?.message}`);
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return parseJsonBody(bytes.toString('utf8'));
  } catch {
    throw new LfsRefusal(422, 'The body must be a JSON object');
  }
}

/** Reads the query; throws 422 if it is invalid. */
export function readQuery<T extends z.ZodType>(ctx: Context, shape: T): z.output<T> {
  const parsed = shape.safeParse(Object.fromEntries(new URLSearchParams(ctx.querystring)));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new LfsRefusal(422, `${issue?.path.join('.')}: ${issue?.message}`);
}
