import { Readable } from 'node:stream';
import type { Outcome } from '../../schema/client/endpoint.ts';

/** The members around the content, in this order: `{…before, size, encoding, content, …after}`. */
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
export function base64Response(content: Buffer | Readable, shown: Shown): Outcome {
  const { size } = shown;
  const head = JSON.stringify({ ...shown.before, size, encoding: 'base64' }).slice(0, -1);
  const start = `${head},"content":"`;
  const end = `",${JSON.stringify(shown.after).slice(1)}`;
  const headers = { 'Content-Type': 'application/json' };
  if (Buffer.isBuffer(content)) {
    return { status: 200, headers, body: Buffer.from(start + content.toString('base64') + end) };
  }
  const length = Buffer.byteLength(start) + 4 * Math.ceil(size / 3) + Buffer.byteLength(end);
  const body = Readable.from(parts(start, content.setEncoding('base64'), end));
  // a generator that never started does not destroy what it would have read
  body.once('close', () => content.destroy());
  return { status: 200, headers: { ...headers, 'Content-Length': String(length) }, body };
}

async function* parts(start: string, content: AsyncIterable<string>, end: string) {
  yield start;
  yield* content;
  yield end;
}
