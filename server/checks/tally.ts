import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A record or a file that a finding concerns. */
export interface Item {
  /** Such as the path of a project or of a file. */
  readonly name: string;
  /** What is wrong with it, if the finding does not say it. */
  readonly problem: string | null;
}

/** The items of a finding: counts all, and keeps some of them or, for a list, all. */
export interface Tally {
  add(name: string, problem?: string | null): void;
  readonly count: number;
  /** `3: a, b, c`, or `120: a, b, c, d, e and 115 more: doctor --all`; only the number if a list follows. */
  readonly text: string;
  /** The kept items; only once. */
  items(): Generator<Item>;
}

export interface TallyOptions {
  /** Whether all items are kept. */
  readonly keepsAll: boolean;
  /** Whether the text gives examples; otherwise a list follows it. */
  readonly hasExamples: boolean;
}

/** What checks need of the tallies of a run. */
export type NewTally = () => Tally;

const maxExamples = 5;

/** Items in memory; more are written to a file, so that memory does not grow with the data. */
const maxInMemory = 1_000;

const blockSize = 64 * 1024;

export const textOfItem = ({ name, problem }: Item): string =>
  problem === null ? name : `${name} (${problem})`;

export const tallyOf =
  ({ keepsAll, hasExamples }: TallyOptions): NewTally =>
  () => {
    const examples: Item[] = [];
    let recent: Item[] = [];
    let file: ReturnType<typeof itemFile> | null = null;
    let count = 0;
    return {
      add: (name, problem = null) => {
        count += 1;
        if (examples.length < maxExamples) examples.push({ name, problem });
        if (!keepsAll) return;
        recent.push({ name, problem });
        if (recent.length < maxInMemory) return;
        file ??= itemFile();
        file.append(recent);
        recent = [];
      },
      get count() {
        return count;
      },
      get text() {
        if (!hasExamples) return String(count);
        const left = count - examples.length;
        const more = left > 0 && !keepsAll ? ` and ${left} more: doctor --all` : '';
        const etc = left > 0 && keepsAll ? ', …' : '';
        return `${count}: ${examples.map(textOfItem).join(', ')}${more}${etc}`;
      },
      *items() {
        if (!keepsAll) return yield* examples;
        if (file) yield* file.read();
        yield* recent;
      },
    };
  };

/** A temporary file without a name, which ends with the process. */
function itemFile() {
  const path = join(tmpdir(), `millrace-items-${crypto.randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  rmSync(path);
  return {
    append: (items: readonly Item[]) => {
      writeSync(file, items.map((item) => `${JSON.stringify(item)}\n`).join(''));
    },
    *read(): Generator<Item> {
      const block = Buffer.alloc(blockSize);
      let rest = Buffer.alloc(0);
      try {
        for (let at = 0; ; ) {
          const size = readSync(file, block, 0, blockSize, at);
          if (size === 0) return;
          at += size;
          rest = Buffer.concat([rest, block.subarray(0, size)]);
          const end = rest.lastIndexOf(10);
          const lines = rest.subarray(0, Math.max(0, end)).toString().split('\n');
          rest = rest.subarray(end + 1);
          for (const line of lines) if (line !== '') yield JSON.parse(line);
        }
      } finally {
        closeSync(file);
      }
    },
  };
}
