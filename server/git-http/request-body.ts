import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** What is wrong with a request body, and the status for it. */
export class BodyRefused extends Error {
  readonly status: 400 | 413 | 415;

  constructor(status: 400 | 413 | 415, message: string) {
    super(message);
    this.name = 'BodyRefused';
    this.status = status;
  }
}

/** A compressed body may always inflate to this many bytes, whatever its ratio. */
const ratioFreeBytes = 16 * 1024 * 1024;
const maxInflationRatio = 100;

/** The body for git, decompressed if necessary; at most `limit` bytes. */
export function openBody(request: IncomingMessage, limit: number): Readable {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return request.pipe(atMost(() => limit));
  if (encoding !== 'gzip' && encoding !== 'x-gzip')
    throw new BodyRefused(415, `Content-Encoding ${encoding} is not supported\n`);
  let received = 0;
  request.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  const unfolded = createGunzip({ chunkSize: 64 * 1024 });
  const body = atMost(() => Math.min(limit, ratioFreeBytes + received * maxInflationRatio));
  unfolded.on('error', () => body.destroy(new BodyRefused(400, 'The body is no valid gzip\n')));
  body.on('close', () => unfolded.destroy());
  return request.pipe(unfolded).pipe(body);
}

function atMost(limit: () => number): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > limit()) done(new BodyRefused(413, 'The body is too large\n'));
      else done(null, chunk);
    },
  });
}
