import { createReadStream } from 'node:fs';
import type { ObjectReader } from '../objects/object-store.ts';

const chunkSize = 2 ** 20;

/** An error that names the file which could not be read. */
const unreadable = (location: string, cause: unknown): Error =>
  new Error(`${location} cannot be read: ${(cause as Error).message}`, { cause });

async function* named(
  location: string,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await chunks.next().catch((error: unknown) => {
        throw unreadable(location, error);
      });
      if (done) return;
      yield value;
    }
  } finally {
    await chunks.return?.();
  }
}

/** The content of the file at `path`. */
export const contentOfFile = (path: string): AsyncIterable<Uint8Array> =>
  named(path, createReadStream(path, { highWaterMark: chunkSize }));

/** The content of an object, which an administrator finds at `location`. */
export const contentOfObject = (
  location: string,
  reader: ObjectReader,
): AsyncIterable<Uint8Array> => named(location, reader.stream());
