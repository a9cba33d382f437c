import { Readable } from 'node:stream';
import type { Context } from 'koa';

/** What stands around the content, in that order: `{…before, size, encoding, content, …after}`. */
interface Shown {
  readonly before?: Readonly<Record<string, unknown>>;
  /** Bytes. */
  readonly size: number;
  readonly after: Readonly<Record<string, unknown>>;
}

/**
 * A file in Base64 inside a JSON object (decisions.md, GET blob). What is not at hand in one piece is
 * encoded as it streams by: its size costs no memory.
 */
export function sendBase64(ctx: Context, content: Buffer | Readable, shown: Shown): void {
  const { size } = shown;
  const head = JSON.stringify({ ...shown.before, size, encoding: 'base64' }).slice(0, -1);
  const start = `${head},"content":"`;
  const end = `",${JSON.stringify(shown.after).slice(1)}`;
  ctx.set('Content-Type', 'application/json');
  if (Buffer.isBuffer(content)) {
    ctx.body = Buffer.from(start + content.toString('base64') + end);
    return;
  }
  // also where nobody reads it, as for HEAD: a program may stand behind it
  ctx.res.once('close', () => content.destroy());
  ctx.body = Readable.from(parts(start, content.setEncoding('base64'), end));
  ctx.length = Buffer.byteLength(start) + 4 * Math.ceil(size / 3) + Buffer.byteLength(end);
}

async function* parts(start: string, content: AsyncIterable<string>, end: string) {
  yield start;
  yield* content;
  yield end;
}
