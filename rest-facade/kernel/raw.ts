import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { Context } from 'koa';

/** How much of a file is looked at to tell text from anything else, as git does. */
const looked = 8000;

interface RawFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * A file as it is: text as `text/plain`, anything else as bytes to be saved. Whatever it holds, a
 * browser neither guesses its type nor runs it in our origin.
 */
export async function sendRaw(
  ctx: Context,
  content: Buffer | Readable,
  { name, size }: RawFile,
): Promise<void> {
  const start = Buffer.isBuffer(content) ? content : await firstPart(content);
  const seen = start.subarray(0, looked);
  const charset = charsetOf(seen, seen.length < size);
  if (charset) sendText(ctx, content, { name, size, charset });
  else sendAttachment(ctx, content, { name, size });
}

/** Text to be looked at, as it is. */
export function sendText(
  ctx: Context,
  content: Buffer | Readable,
  { name, size, charset = 'utf-8' }: RawFile & { readonly charset?: string },
): void {
  ctx.set('Content-Type', `text/plain; charset=${charset}`);
  ctx.set('Content-Disposition', disposition('inline', name));
  send(ctx, content, size);
}

/** Bytes to be saved. */
export function sendAttachment(
  ctx: Context,
  content: Buffer | Readable,
  { name, size }: RawFile,
): void {
  ctx.set('Content-Type', 'application/octet-stream');
  ctx.set('Content-Disposition', disposition('attachment', name));
  send(ctx, content, size);
}

function send(ctx: Context, content: Buffer | Readable, size: number): void {
  ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
  ctx.body = content;
  ctx.length = size;
}

/** Plain names in quotes, as they always were; others as RFC 6266 has them. */
const disposition = (type: 'inline' | 'attachment', name: string) =>
  /^[\w .+-]+$/.test(name) ? `${type}; filename="${name}"` : contentDisposition(name, { type });

/** The first bytes of a stream, which still gives them to whoever reads it next. */
export async function firstPart(stream: Readable): Promise<Buffer> {
  if (stream.readableLength === 0 && !stream.readableEnded) await once(stream, 'readable');
  const chunk: Buffer | null = stream.read();
  if (!chunk) return Buffer.alloc(0);
  stream.unshift(chunk);
  return chunk;
}

/** Git's own rule: what holds no NUL is text. Null for anything else. */
function charsetOf(start: Buffer, isCut: boolean): 'utf-8' | 'iso-8859-1' | null {
  if (start.includes(0)) return null;
  return isUtf8(start, isCut) ? 'utf-8' : 'iso-8859-1';
}

/** Where only a part is looked at, its last character may be cut. */
function isUtf8(start: Buffer, isCut: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: isCut });
    return true;
  } catch {
    return false;
  }
}
