import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { mediaTypeOf } from './media-type.ts';
import type { ObjectReader } from './object-store.ts';
import { isEmptyRange, isMissing, unavailable } from './s3-client.ts';

/** Bytes that the first request reads: most uploads and the start of every media type. */
const windowSize = 64 * 1024;

/** Attempts to continue a broken download without any progress. */
const maxAttempts = 3;

/** Milliseconds without a byte while the reader waits for one. */
const stalledAfter = 30_000;

interface Place {
  readonly Bucket: string;
  readonly Key: string;
}

interface Window {
  readonly bytes: Buffer;
  /** Of the whole object. */
  readonly size: number;
  /** Identifies the content: the key may get another object while this one is read. */
  readonly tag: string | undefined;
}

/** Opens an object with one request, which reads small ones completely. Null if there is none. */
export async function openS3Object(client: S3Client, place: Place): Promise<ObjectReader | null> {
  const window = await readWindow(client, place);
  if (!window) return null;
  const { bytes: first, size, tag } = window;
  const closing = new AbortController();

  const request = (start: number, end: number) => {
    const range = {
      Range: `bytes=${start}-${end - 1}`,
      ...(tag !== undefined && { IfMatch: tag }),
    };
    return getBody(client, { ...place, ...range }, closing.signal);
  };
  async function* bytesFrom(start: number, end: number): AsyncGenerator<Buffer> {
    let at = start;
    if (at < first.length && at < end) {
      yield first.subarray(at, Math.min(end, first.length));
      at = Math.min(end, first.length);
    }
    for (let attempt = 1; at < end; ) {
      try {
        for await (const chunk of watched(await request(at, end))) {
          at += chunk.length;
          attempt = 1;
          yield chunk;
        }
        if (at < end) throw new Error('the object store ended a download early');
      } catch (error) {
        attempt += 1;
        if (attempt > maxAttempts || closing.signal.aborted) throw unavailable(error);
      }
    }
  }
  const stream = (start = 0, end = size) => {
    const content = Readable.from(bytesFrom(start, Math.min(end, size)), { objectMode: false });
    content.once('close', () => closing.abort());
    return content;
  };
  const read = async (position: number, length: number) => {
    const end = Math.min(size, position + length);
    if (end <= first.length) return first.subarray(position, Math.max(position, end));
    return buffer(Readable.from(bytesFrom(position, end)));
  };
  return {
    size,
    mediaType: () => mediaTypeOf(read),
    stream,
    read,
    close: async () => closing.abort(),
  };
}

async function getBody(
  client: S3Client,
  input: ConstructorParameters<typeof GetObjectCommand>[0],
  abortSignal: AbortSignal,
): Promise<Readable> {
  const { Body } = await client.send(new GetObjectCommand(input), { abortSignal });
  return Body as Readable;
}

async function readWindow(client: S3Client, place: Place): Promise<Window | null> {
  const input = { ...place, Range: `bytes=0-${windowSize - 1}` };
  try {
    const { Body, ContentRange, ContentLength, ETag } = await client.send(
      new GetObjectCommand(input),
    );
    const bytes = await buffer(watched(Body as Readable));
    const [, total] = /\/(\d+)$/.exec(ContentRange ?? '') ?? [];
    return { bytes, size: Number(total ?? ContentLength), tag: ETag };
  } catch (error) {
    if (isMissing(error)) return null;
    if (isEmptyRange(error)) return { bytes: Buffer.alloc(0), size: 0, tag: undefined };
    throw unavailable(error);
  }
}

/** The chunks of a response, which fails if the store sends nothing while the reader waits. */
async function* watched(body: Readable): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const timer = setTimeout(
        () => body.destroy(new Error('the object store sent nothing')),
        stalledAfter,
      );
      const { done, value } = await chunks.next().finally(() => clearTimeout(timer));
      if (done) return;
      yield value as Buffer;
    }
  } finally {
    body.destroy();
  }
}
