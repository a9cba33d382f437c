import type { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';
import type { ObjectReader } from '../objects/object-store.ts';

/** Bytes read at once from an archive's directory, which the library reads piecemeal. */
const windowSize = 2 ** 18;

type Done = (error: Error | null, bytesRead?: number) => void;

/** Reads an archive for the library; concurrent reads of adjacent ranges are combined. */
class WindowReader extends RandomAccessReader {
  readonly #archive: ObjectReader;
  #window: Buffer = Buffer.alloc(0);
  #start = 0;

  constructor(archive: ObjectReader) {
    super();
    this.#archive = archive;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return this.#archive.stream(start, end);
  }

  override read(into: Buffer, offset: number, length: number, at: number, done: Done): void {
    const last = this.#start + this.#window.length;
    if (at >= this.#start && at + length <= last) {
      done(null, this.#give(into, offset, length, at));
      return;
    }
    this.#archive.read(at, Math.max(length, windowSize)).then((bytes) => {
      this.#window = bytes;
      this.#start = at;
      done(null, this.#give(into, offset, length, at));
    }, done);
  }

  /** Copies the part that the window contains and returns its length. */
  #give(into: Buffer, offset: number, length: number, at: number): number {
    const from = at - this.#start;
    return this.#window.copy(into, offset, from, Math.min(from + length, this.#window.length));
  }

  override close(done: (error: Error | null) => void): void {
    this.#archive.close().then(() => done(null), done);
  }
}

/** An opened archive for the library, which closes it. */
export const windowReader = (archive: ObjectReader): RandomAccessReader =>
  new WindowReader(archive);
