import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type Koa from 'koa';
import { matches } from './conditional.ts';
import { contentEncoding } from './content-encoding.ts';

const encodings = ['br', 'gzip'] as const;
type Encoding = (typeof encodings)[number] | 'identity';

/** A text that never changes while the process runs. */
export interface StaticFile {
  /** The media type, for example `text/css`. */
  readonly type: string;
  /** Changes with the content; without quotes. */
  readonly tag: string;
  /** The content in an encoding, compressed at its first request. */
  readonly body: (encoding: Encoding) => Promise<Buffer>;
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Takes 80 ms for the largest file, in zlib's threads; level 11 is 8 % smaller and takes 3 s. */
const brotliQuality = 9;

const compressors: Readonly<Record<Encoding, (content: Buffer) => Promise<Buffer>>> = {
  br: (content) =>
    brotli(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gzip: (content) => gzipped(content, { level: 9 }),
  identity: async (content) => content,
};

export function staticFile(type: string, text: string, tag: string): StaticFile {
  const content = Buffer.from(text);
  const bodies = new Map<Encoding, Promise<Buffer>>();
  return {
    type,
    tag,
    body(encoding) {
      const existing = bodies.get(encoding);
      if (existing) return existing;
      const body = compressors[encoding](content);
      bodies.set(encoding, body);
      // a failure is not cached
      body.catch(() => bodies.delete(encoding));
      return body;
    },
  };
}

/**
 * Responds with a file, or with 304 if the client has it. All connections send the same buffer, so
 * that a client that does not read costs no memory.
 */
export async function sendStaticFile(
  ctx: Koa.Context,
  file: StaticFile,
  cacheControl: string,
): Promise<void> {
  const encoding = contentEncoding(ctx, encodings);
  const entityTag = `"${file.tag}-${encoding}"`;
  ctx.type = file.type;
  ctx.vary('Accept-Encoding');
  ctx.set('ETag', entityTag);
  ctx.set('Cache-Control', cacheControl);
  if (matches(ctx.get('If-None-Match'), entityTag)) {
    ctx.status = 304;
    return;
  }
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  ctx.body = await file.body(encoding);
}
