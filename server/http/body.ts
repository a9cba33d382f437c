import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { parseParameters } from '../../rest-facade/kernel/query.ts';
import { malformed, tooLong, unsupported, unusable } from './body-error.ts';
import { parseJsonBody } from './json-body.ts';
import { readMultipart } from './multipart.ts';
import { readBytes } from './read-bytes.ts';

/** Parameters are text people type; what is longer is no parameter. */
const longest = 2 ** 20;
const form = 'application/x-www-form-urlencoded';

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformed();
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const read = await readBytes(request, longest);
  if (read.isTooLong) throw tooLong(read.isDrained);
  return textOf(read.bytes);
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Form, form with parts, or a JSON object, as one map; throws an error that may be told. */
async function readParameters(request: IncomingMessage): Promise<Record<string, unknown>> {
  const { 'content-type': header = form, 'content-encoding': encoding = 'identity' } =
    request.headers;
  const [type = '', ...attributes] = header
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = attributes.find((part) => part.startsWith('charset='))?.slice(8) ?? 'utf-8';

  if (encoding !== 'identity') {
    throw unusable(415, {
      error: `The requested content-encoding '${encoding}' is not supported.`,
    });
  }
  if (type === 'multipart/form-data') {
    return parseParameters(await readMultipart(request, longest));
  }
  const isJson = type === 'application/json' || /^application\/.+\+json$/.test(type);
  if (!isJson && type !== form) throw unsupported(type);
  if (!/^"?(?:utf-?8|us-ascii)"?$/.test(charset)) throw unsupported(header);
  const text = await readText(request);
  if (!isJson) return parseParameters(text);
  return text.trim() === '' ? {} : parseJsonBody(text);
}

/** Reads the parameters a body holds, below `prefixes` only: other parts read their own bodies. */
export const readBody =
  (prefixes: readonly string[] = ['/api/v4/', '/oauth/']): Middleware =>
  async (ctx, next) => {
    const isOurs = ctx.method !== 'GET' && prefixes.some((prefix) => ctx.path.startsWith(prefix));
    if (isOurs && hasBody(ctx.req)) ctx.request.body = await readParameters(ctx.req);
    await next();
  };
