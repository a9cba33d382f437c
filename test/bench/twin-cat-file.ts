import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Gives an object's type and content by any revision, null if it does not exist. */
export type ReadObject = (name: string) => Promise<TwinObject | null>;

export interface TwinObject {
  readonly id: string;
  readonly type: string;
  readonly content: Buffer;
}

/** A long-running `git cat-file --batch-command` on one repository. */
export function twinCatFile(folder: string): ReadObject {
  const child = spawn('git', [`--git-dir=${folder}`, 'cat-file', '--batch-command'], {
    env: {
      PATH: process.env.PATH ?? '',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting: ((object: TwinObject | null) => void)[] = [];
  let bytes: Buffer = Buffer.alloc(0);
  let pieces: Buffer[] = [];
  let missing = 0;

  const step = (): boolean => {
    const end = bytes.indexOf(0x0a);
    if (end < 0) return false;
    const [id = '', type = '', length] = bytes.toString('latin1', 0, end).split(' ');
    if (length === undefined) {
      bytes = bytes.subarray(end + 1);
      waiting.shift()?.(null);
      return true;
    }
    const size = Number(length);
    missing = end + 1 + size + 1 - bytes.length;
    if (missing > 0) return false;
    const content = bytes.subarray(end + 1, end + 1 + size);
    bytes = bytes.subarray(end + 1 + size + 1);
    waiting.shift()?.({ id, type, content });
    return true;
  };

  child.stdout.on('data', (chunk: Buffer) => {
    pieces.push(chunk);
    missing -= chunk.length;
    if (missing > 0) return;
    bytes = bytes.length === 0 && pieces.length === 1 ? chunk : Buffer.concat([bytes, ...pieces]);
    pieces = [];
    missing = 0;
    while (bytes.length > 0 && step());
  });

  return (name) =>
    new Promise((resolve) => {
      waiting.push(resolve);
      child.stdin.write(`contents ${name}\n`);
    });
}

/** One such process per repository, started on first use; they end with the twin. */
export function twinCatFiles(dataFolder: string): (diskPath: string) => ReadObject {
  const processes = new Map<string, ReadObject>();
  return (diskPath) => {
    const existing = processes.get(diskPath);
    if (existing) return existing;
    const created = twinCatFile(`${join(dataFolder, 'repositories', diskPath)}.git`);
    processes.set(diskPath, created);
    return created;
  };
}

/** The commit of a branch; null if there is no such branch. */
export const tipIn = async (readObject: ReadObject, branch: string): Promise<string | null> =>
  (await readObject(`refs/heads/${branch}`))?.id ?? null;

/** The entries of a tree object. */
export function* entriesIn(bytes: Buffer) {
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const nul = bytes.indexOf(0, space);
    yield {
      id: bytes.toString('hex', nul + 1, nul + 21),
      name: bytes.toString('utf8', space + 1, nul),
      mode: bytes.toString('latin1', at, space).padStart(6, '0'),
    };
    at = nul + 21;
  }
}
