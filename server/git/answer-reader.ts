export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

export interface ObjectInfo {
  readonly id: string;
  readonly type: ObjectType;
  readonly size: number;
}

/** What `git cat-file --batch-command` says to one question; null when there is no such object. */
export interface Answer {
  readonly info: ObjectInfo;
  readonly content: Buffer;
}

export interface Expectation {
  readonly name: string;
  readonly wantsContent: boolean;
}

const FOUND = /^([0-9a-f]{40}) (commit|tree|blob|tag) (\d+)$/;
const NOTHING = Buffer.alloc(0);
const NEWLINE = 0x0a;

/** Cuts the output of `git cat-file --batch-command` into answers, in the order of the questions. */
export class AnswerReader {
  readonly #expected: () => Expectation | undefined;
  readonly #give: (answer: Answer | null) => void;
  #rest: Buffer = NOTHING;
  #open: { readonly info: ObjectInfo; readonly bytes: Buffer; filled: number } | null = null;

  constructor(expected: () => Expectation | undefined, give: (answer: Answer | null) => void) {
    this.#expected = expected;
    this.#give = give;
  }

  read(chunk: Buffer) {
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    while (bytes.length > 0) {
      const taken = this.#open ? this.#fill(bytes) : this.#header(bytes);
      if (taken === 0) break;
      bytes = bytes.subarray(taken);
    }
    this.#rest = bytes;
  }

  #fill(chunk: Buffer): number {
    const open = this.#open;
    if (!open) return 0;
    const taken = chunk.copy(open.bytes, open.filled);
    open.filled += taken;
    if (open.filled === open.bytes.length) {
      this.#open = null;
      this.#give({ info: open.info, content: open.bytes.subarray(0, -1) });
    }
    return taken;
  }

  #header(bytes: Buffer): number {
    const expectation = this.#expected();
    if (!expectation) throw new Error('git cat-file answers what was not asked');
    const end = bytes.indexOf(NEWLINE);
    if (end < 0) return 0;
    const found = FOUND.exec(bytes.toString('latin1', 0, end));
    if (!found) return this.#missing(bytes, expectation.name);
    const [, id = '', type, size] = found;
    const info = { id, type: type as ObjectType, size: Number(size) };
    if (!expectation.wantsContent) this.#give({ info, content: NOTHING });
    // one byte more: git ends a content with a newline; slow, as it may be kept for long
    else this.#open = { info, bytes: Buffer.allocUnsafeSlow(info.size + 1), filled: 0 };
    return end + 1;
  }

  /** "… missing" and "… ambiguous" repeat the name, which may itself have line breaks. */
  #missing(bytes: Buffer, name: string): number {
    let end = -1;
    for (let left = name.split('\n').length; left > 0; left -= 1) {
      end = bytes.indexOf(NEWLINE, end + 1);
      if (end < 0) return 0;
    }
    this.#give(null);
    return end + 1;
  }
}
