import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import Koa, { type Context } from 'koa';
import type { Outcome } from '../../schema/client/endpoint.ts';
import type { RequestFacts } from '../../schema/client/execute.ts';

const app = new Koa();

/** A context that no connection stands behind. */
function detached(): Context {
  const req = new IncomingMessage(new Socket());
  Object.assign(req, { method: 'GET', url: '/' });
  return app.createContext(req, new ServerResponse(req));
}

const tooLong: Outcome = { status: 413, body: { message: '413 Request Entity Too Large' } };

/**
 * What `send` would have sent over HTTP, as a whole: JSON as what it says, anything else as bytes.
 * Beyond `longest` bytes it is refused, and the work behind it ends, as when the caller leaves.
 */
export async function sentBody(
  send: (ctx: Context) => Promise<void>,
  longest: number,
  { signal, address }: RequestFacts,
): Promise<Outcome> {
  const ctx = detached();
  // by which streams are limited
  ctx.request.ip = address;
  const end = () => ctx.res.emit('close');
  signal?.addEventListener('abort', end, { once: true });
  try {
    await send(ctx);
    const bytes = await bytesOf(ctx, longest);
    if (!bytes) return tooLong;
    const isJson = ctx.response.get('Content-Type').startsWith('application/json');
    return { status: ctx.status, body: isJson ? JSON.parse(bytes.toString()) : bytes };
  } finally {
    signal?.removeEventListener('abort', end);
    end();
  }
}

async function bytesOf({ body }: Context, longest: number): Promise<Buffer | null> {
  const content = typeof body === 'string' ? Buffer.from(body) : body;
  if (Buffer.isBuffer(content)) return content.length > longest ? null : content;
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of content as Readable) {
    const bytes = Buffer.from(part);
    length += bytes.length;
    if (length > longest) return null;
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}
