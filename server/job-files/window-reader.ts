import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';
import { orMissing } from '../disk/files.ts';

/** Bytes read at once from an archive's directory, which the library reads piecemeal. */
const windowSize = 2 ** 18;

type Done = (error: Error | null, bytesRead?: number) => void;

/** Reads an archive for the library; concurrent reads of adjacent ranges are combined. */
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
    // a stream option cannot express an empty range
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

  /** Copies the part that the window contains and returns its length. */
  #give(into: Buffer, offset: number, length: number, at: number): number {
    const from = at - this.#start;
    return this.#window.copy(into, offset, from, Math.min(from + length, this.#filled));
  }

  override close(done: (error: Error | null) => void): void {
    this.#file.close().then(() => done(null), done);
  }
}

/** Opens an archive for the library; null when it does not exist. It is closed with its streams. */
export async function windowReader(
  path: string,
): Promise<{ readonly reader: RandomAccessReader; readonly size: number } | null> {
  const file = await orMissing(open(path, 'r'));
  if (!file) return null;
  try {
    return { reader: new WindowReader(file), size: (await file.stat()).size };
  } catch (error) {
    await file.close();
    throw error;
  }
}
