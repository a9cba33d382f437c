type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

export interface ObjectInfo {
  readonly id: string;
  readonly type: ObjectType;
  readonly size: number;
}

/** The response of `git cat-file --batch-command`. */
export interface ObjectResponse {
  readonly info: ObjectInfo;
  /** Null when not requested, or larger than the limit. */
  readonly content: Buffer | null;
}

export interface ExpectedResponse {
  readonly name: string;
  readonly wantsContent: boolean;
}

interface ResponseReaderOptions {
  readonly expected: () => ExpectedResponse | undefined;
  readonly deliver: (answer: ObjectResponse | null) => void;
  /** Larger contents are discarded without allocating memory. */
  readonly maxContentBytes: number;
}

/** Content that is still being received; `bytes` is null when it is discarded. */
interface OpenContent {
  readonly info: ObjectInfo;
  readonly bytes: Buffer | null;
  readonly size: number;
  filled: number;
}

const objectHeader = /^([0-9a-f]{40}) (commit|tree|blob|tag) (\d+)$/;
const emptyBuffer = Buffer.alloc(0);
const newlineByte = 0x0a;

/** Splits the output of `git cat-file --batch-command` into responses, in the order of the requests. */
export class ResponseReader {
  readonly #parts: ResponseReaderOptions;
  #rest: Buffer = emptyBuffer;
  #open: OpenContent | null = null;

  constructor(parts: ResponseReaderOptions) {
    this.#parts = parts;
  }

  read(chunk: Buffer) {
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    while (bytes.length > 0) {
      const consumed = this.#open ? this.#fill(this.#open, bytes) : this.#header(bytes);
      if (consumed === 0) break;
      bytes = bytes.subarray(consumed);
    }
    this.#rest = bytes;
  }

  #fill(open: OpenContent, chunk: Buffer): number {
    const consumed = open.bytes
      ? chunk.copy(open.bytes, open.filled)
      : Math.min(chunk.length, open.size - open.filled);
    open.filled += consumed;
    if (open.filled === open.size) {
      this.#open = null;
      this.#parts.deliver({ info: open.info, content: open.bytes?.subarray(0, -1) ?? null });
    }
    return consumed;
  }

  #header(bytes: Buffer): number {
    const expectation = this.#parts.expected();
    if (!expectation) throw new Error('git cat-file sent an unexpected response');
    const end = bytes.indexOf(newlineByte);
    if (end < 0) return 0;
    const match = objectHeader.exec(bytes.toString('latin1', 0, end));
    if (!match) return this.#missing(bytes, expectation.name);
    const [, id = '', type, length] = match;
    const info = { id, type: type as ObjectType, size: Number(length) };
    if (expectation.wantsContent) this.#open = this.#opened(info);
    else this.#parts.deliver({ info, content: null });
    return end + 1;
  }

  #opened(info: ObjectInfo): OpenContent {
    // one byte more: git ends a content with a newline; not from Node's shared pool, as it may be
    // cached
    const size = info.size + 1;
    const bytes = info.size > this.#parts.maxContentBytes ? null : Buffer.allocUnsafeSlow(size);
    return { info, bytes, size, filled: 0 };
  }

  /** "… missing" and "… ambiguous" repeat the name, which may contain line breaks. */
  #missing(bytes: Buffer, name: string): number {
    let end = -1;
    for (let left = name.split('\n').length; left > 0; left -= 1) {
      end = bytes.indexOf(newlineByte, end + 1);
      if (end < 0) return 0;
    }
    this.#parts.deliver(null);
    return end + 1;
  }
}
