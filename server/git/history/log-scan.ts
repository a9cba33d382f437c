import { parseIds } from './log-walk.ts';

/** Of an id in git's output: 40 digits and a line break. */
const lineBytes = 41;
/** Chunks that a walk keeps, of some 40 KB until they are complete. */
const maxChunks = 32;

interface Capture {
  readonly pieces: Buffer[];
  /** Bytes of git's output that are still missing. */
  missing: number;
  readonly filled: PromiseWithResolvers<Buffer>;
}

/**
 * One walk of a history from its first id: counts the ids, and keeps only the chunks that callers
 * wait for. A line of git's output has a fixed length, so nothing else is parsed.
 */
export class LogScan {
  readonly #captures = new Map<number, Capture>();
  readonly #idsPerChunk: number;
  #bytes = 0;

  constructor(idsPerChunk: number) {
    this.#idsPerChunk = idsPerChunk;
  }

  /** The chunk of ids that starts at `first`; null if the walk has passed that id or keeps too many. */
  chunk(first: number): Promise<Buffer> | null {
    const existing = this.#captures.get(first);
    if (existing) return existing.filled.promise;
    if (first * lineBytes < this.#bytes || this.#captures.size >= maxChunks) return null;
    const filled = Promise.withResolvers<Buffer>();
    this.#captures.set(first, { pieces: [], missing: this.#idsPerChunk * lineBytes, filled });
    return filled.promise;
  }

  /** Takes the next part of git's output. */
  read(bytes: Buffer): void {
    for (const [first, capture] of this.#captures) {
      const start = Math.max(first * lineBytes - this.#bytes, 0);
      if (capture.missing === 0 || start >= bytes.length) continue;
      const piece = bytes.subarray(start, start + capture.missing);
      capture.pieces.push(piece);
      capture.missing -= piece.length;
      if (capture.missing === 0) finish(capture);
    }
    this.#bytes += bytes.length;
  }

  /** Ends the walk: the chunks at its end are partial. Returns the number of ids. */
  end(): number {
    for (const capture of this.#captures.values()) if (capture.missing > 0) finish(capture);
    return this.#bytes / lineBytes;
  }
}

const finish = ({ pieces, filled }: Capture): void =>
  filled.resolve(parseIds(Buffer.concat(pieces.splice(0)).toString('latin1')));
