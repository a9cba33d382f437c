import { Readable } from 'node:stream';
import type { Context } from 'koa';

interface Shown {
  readonly sha: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * A file in Base64 inside a JSON object, `{size, encoding, content, sha}` (decisions.md, GET blob).
 * What is not at hand in one piece is encoded as it streams by: its size costs no memory.
 */
export function sendBase64(ctx: Context, content: Buffer | Readable, { sha, size }: Shown): void {
  const before = `{"size":${size},"encoding":"base64","content":"`;
  const after = `","sha":"${sha}"}`;
  ctx.set('Content-Type', 'application/json');
  if (Buffer.isBuffer(content)) {
    ctx.body = Buffer.from(before + content.toString('base64') + after);
    return;
  }
  // also where nobody reads it, as for HEAD: a program may stand behind it
  ctx.res.once('close', () => content.destroy());
  ctx.body = Readable.from(parts(before, content.setEncoding('base64'), after));
  ctx.length = before.length + 4 * Math.ceil(size / 3) + after.length;
}

async function* parts(before: string, content: AsyncIterable<string>, after: string) {
  yield before;
  yield* content;
  yield after;
}
