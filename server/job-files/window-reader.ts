import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';
import { ifThere } from './traces.ts';

/** Bytes that are read at once of a list of files, which is asked for piece by piece. */
const windowSize = 2 ** 18;

type Done = (error: Error | null, bytesRead?: number) => void;

/** An archive on the disk, as the library reads one: what is asked for side by side is read together. */
class WindowReader extends RandomAccessReader {
  readonly #file: FileHandle;
  readonly #window = Buffer.alloc(windowSize);
  #start = 0;
  #filled = 0;

  constructor(file: FileHandle) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    // nothing has no last byte that could be named
    const range = { start, end: Math.max(start, end - 1), autoClose: false };
    return this.#file.createReadStream(range);
  }

  override read(into: Buffer, offset: number, length: number, at: number, done: Done): void {
    const last = this.#start + this.#filled;
    if (at >= this.#start && at + length <= last) {
      done(null, this.#give(into, offset, length, at));
      return;
    }
    const isLong = length > windowSize;
    const reading = isLong ? this.#file.read(into, offset, length, at) : this.#fill(at);
    reading.then(
      ({ bytesRead }) => done(null, isLong ? bytesRead : this.#give(into, offset, length, at)),
      done,
    );
  }

  async #fill(at: number) {
    const read = await this.#file.read(this.#window, 0, windowSize, at);
    this.#start = at;
    this.#filled = read.bytesRead;
    return read;
  }

  /** Copies what the window has of it, and says how much that is. */
  #give(into: Buffer, offset: number, length: number, at: number): number {
    const from = at - this.#start;
    return this.#window.copy(into, offset, from, Math.min(from + length, this.#filled));
  }

  override close(done: (error: Error | null) => void): void {
    this.#file.close().then(() => done(null), done);
  }
}

/** Opens an archive for the library; null when there is none. It is closed with what is made of it. */
export async function windowReader(
  path: string,
): Promise<{ readonly reader: RandomAccessReader; readonly size: number } | null> {
  const file = await ifThere(open(path, 'r'));
  if (!file) return null;
  try {
    return { reader: new WindowReader(file), size: (await file.stat()).size };
  } catch (error) {
    await file.close();
    throw error;
  }
}
