import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { GetObjectCommand, HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import {
  currentWaitBudget,
  type WaitBudget,
  waitWithin,
  withWaitBudget,
} from '../scheduling/wait-budget.ts';
import { mediaTypeOf } from './media-type.ts';
import type { ObjectReader } from './object-store.ts';
import { isEmptyRange, isMissing, unavailable } from './s3-client.ts';
import type { ObjectPlace } from './s3-multipart.ts';

/** Bytes that the first request reads: most uploads and the start of every media type. */
const windowSize = 64 * 1024;

/** Attempts to continue a broken download without any progress. */
const maxAttempts = 3;

/** Milliseconds without a byte while the reader waits for one, after which the rest is requested again. */
const stalledAfter = 10_000;

/** The bytes that the first request has read. */
interface Window {
  readonly start: number;
  readonly bytes: Buffer;
  /** Of the whole object. */
  readonly size: number;
  /** Identifies the content: the key may get another object while this one is read. */
  readonly tag: string | undefined;
}

/**
 * Opens an object with one request, which reads small ones completely; the first of its bytes begins at
 * `from`. Null if there is no object.
 */
export async function openS3Object(
  client: S3Client,
  place: ObjectPlace,
  from: number,
): Promise<ObjectReader | null> {
  // streams are read outside of the scope of their request
  const budget = currentWaitBudget();
  const window = await withWaitBudget(() => readWindow(client, place, from, budget), budget);
  return window && readerOf(client, place, window, budget);
}

function readerOf(
  client: S3Client,
  place: ObjectPlace,
  { start: windowStart, bytes, size, tag }: Window,
  budget: WaitBudget,
): ObjectReader {
  const windowEnd = windowStart + bytes.length;

  async function* bytesFrom(start: number, end: number, signal: AbortSignal) {
    let at = start;
    if (at >= windowStart && at < windowEnd && at < end) {
      yield bytes.subarray(at - windowStart, Math.min(end, windowEnd) - windowStart);
      at = Math.min(end, windowEnd);
    }
    for (let attempt = 1; at < end; ) {
      try {
        const range = {
          Range: `bytes=${at}-${end - 1}`,
          ...(tag !== undefined && { IfMatch: tag }),
        };
        const part = { ...place, ...range };
        const get = () => getBody(client, part, { start: at, tag }, signal);
        const body = await withWaitBudget(get, budget);
        for await (const sent of watched(body, budget)) {
          const chunk = sent.subarray(0, end - at);
          if (chunk.length === 0) break;
          at += chunk.length;
          attempt = 1;
          yield chunk;
        }
        if (at < end) throw new Error('the object store ended a download early');
      } catch (error) {
        attempt += 1;
        const isOver = budget.left <= 0 || signal.aborted;
        if (attempt > maxAttempts || isOver) throw unavailable(error);
      }
    }
  }
  const stream = (start = 0, end = size) =>
    abortable((signal) => bytesFrom(start, Math.min(end, size), signal));
  const read = (position: number, length: number) =>
    buffer(stream(position, Math.max(position, position + length)));
  return {
    size,
    mediaType: () => mediaTypeOf(read),
    stream,
    read,
    // each stream ends its own requests
    close: async () => {},
  };
}

/** A stream of chunks whose destruction aborts what they wait for. */
function abortable(chunksOf: (signal: AbortSignal) => AsyncGenerator<Buffer>): Readable {
  const closing = new AbortController();
  const chunks = chunksOf(closing.signal);
  const pull = async (content: Readable) => {
    try {
      const { done, value } = await chunks.next();
      content.push(done ? null : value);
    } catch (error) {
      content.destroy(error as Error);
    }
  };
  return new Readable({
    read() {
      void pull(this);
    },
    destroy: (error, done) => {
      closing.abort();
      done(error);
    },
  });
}

/** Whether a response begins where it was asked to; stores that ignore a range send the whole object. */
const beginsAt = (start: number, contentRange: string | undefined): boolean =>
  contentRange === undefined ? start === 0 : contentRange.startsWith(`bytes ${start}-`);

async function getBody(
  client: S3Client,
  input: ConstructorParameters<typeof GetObjectCommand>[0],
  { start, tag }: Pick<Window, 'start' | 'tag'>,
  abortSignal: AbortSignal,
): Promise<Readable> {
  const { Body, ContentRange, ETag } = await client.send(new GetObjectCommand(input), {
    abortSignal,
  });
  const content = Body as Readable;
  if (!beginsAt(start, ContentRange) || (tag !== undefined && ETag !== tag)) {
    content.destroy();
    throw new Error('the object store sent another range or object');
  }
  const stop = () => content.destroy();
  abortSignal.addEventListener('abort', stop, { once: true });
  content.once('close', () => abortSignal.removeEventListener('abort', stop));
  return content;
}

async function readWindow(
  client: S3Client,
  place: ObjectPlace,
  start: number,
  budget: WaitBudget,
): Promise<Window | null> {
  const input = { ...place, Range: `bytes=${start}-${start + windowSize - 1}` };
  try {
    const { Body, ContentRange, ContentLength, ETag } = await client.send(
      new GetObjectCommand(input),
    );
    const content = Body as Readable;
    const length = ContentLength ?? (ContentRange === undefined ? Number.POSITIVE_INFINITY : 0);
    if (!beginsAt(start, ContentRange) || length > windowSize) {
      content.destroy();
      throw new Error('the object store ignores ranges');
    }
    const [, total] = /\/(\d+)$/.exec(ContentRange ?? '') ?? [];
    const size = Number(total ?? ContentLength);
    // s3rver announces a byte of an empty object and does not send it
    if (size === 0) content.destroy();
    const bytes = size === 0 ? Buffer.alloc(0) : await buffer(watched(content, budget));
    return { start, bytes, size, tag: ETag };
  } catch (error) {
    if (isMissing(error)) return null;
    if (!isEmptyRange(error)) throw unavailable(error);
    // it ends at or before the start
    const { ContentLength = 0 } = await client.send(new HeadObjectCommand(place));
    return { start, bytes: Buffer.alloc(0), size: ContentLength, tag: undefined };
  }
}

/** The chunks of a response, which fails if the store sends nothing, or too little, while the reader waits. */
async function* watched(body: Readable, budget: WaitBudget): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = (signal: AbortSignal) => {
        const stop = () => body.destroy(new Error('the object store sent nothing'));
        const timer = setTimeout(stop, stalledAfter);
        signal.addEventListener('abort', stop, { once: true });
        return chunks.next().finally(() => clearTimeout(timer));
      };
      const { done, value } = await waitWithin(budget, next, (chunk) => ({
        bytes: (chunk.value as Buffer | undefined)?.length ?? 0,
      }));
      if (done) return;
      yield value as Buffer;
    }
  } finally {
    body.destroy();
  }
}
