import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from './git.ts';

type Line = readonly [name: string, value: string | Buffer];

/** Writes any bytes as an object of a repository, well-formed or not; gives its id. */
export async function writeRaw(
  folder: string,
  type: 'commit' | 'tag' | 'tree' | 'blob',
  content: Buffer,
): Promise<string> {
  const path = join(tmpdir(), `object-${crypto.randomUUID()}`);
  await writeFile(path, content);
  try {
    return await git(folder, 'hash-object', '-t', type, '-w', '--literally', path);
  } finally {
    await rm(path);
  }
}

/** The bytes of a commit or tag with these header lines. */
export const withHeaders = (lines: readonly Line[], message: string | Buffer): Buffer =>
  Buffer.concat([
    ...lines.flatMap(([name, value]) => [
      Buffer.from(`${name} `),
      Buffer.from(value),
      Buffer.from('\n'),
    ]),
    Buffer.from('\n'),
    Buffer.from(message),
  ]);

/** The bytes of a tree, its entries in this order. */
export const treeOf = (
  entries: readonly {
    readonly mode: string;
    readonly name: string | Buffer;
    readonly id: string;
  }[],
): Buffer =>
  Buffer.concat(
    entries.flatMap(({ mode, name, id }) => [
      Buffer.from(`${mode} `),
      Buffer.from(name),
      Buffer.from([0]),
      Buffer.from(id, 'hex'),
    ]),
  );

/** A commit whose lines are odd, as child of `parent`. */
export interface OddCommit {
  readonly title: string;
  readonly author?: string | Buffer | null;
  readonly committer?: string | Buffer | null;
  /** Lines before the author and after the committer. */
  readonly before?: readonly Line[];
  readonly after?: readonly Line[];
  readonly message?: string | Buffer;
}

const usual = 'Ada <ada@example.com> 1700000000 +0000';

/** Writes a commit; gives its id. */
export const writeOdd = (
  folder: string,
  tree: string,
  parent: string | null,
  { title, author = usual, committer = usual, before = [], after = [], message }: OddCommit,
): Promise<string> => {
  const lines: Line[] = [
    ['tree', tree],
    ...(parent === null ? [] : ([['parent', parent]] as const)),
    ...before,
    ...(author === null ? [] : ([['author', author]] as const)),
    ...(committer === null ? [] : ([['committer', committer]] as const)),
    ...after,
  ];
  return writeRaw(folder, 'commit', withHeaders(lines, message ?? `${title}\n`));
};
