import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { orMissing, syncPath } from '../disk/files.ts';
import { tryGit } from '../git/process/run.ts';
import { hasEmptyPackedRefs, isDamagedRef } from '../git/refs/damaged-refs.ts';

const headText = /^(?:ref: refs\/\S+|[0-9a-f]{40})$/;

/** A line of settings that need no reading by git. */
const settingLine = /^(?:[#;].*|\[[^\]\0]*\]|[A-Za-z][\w-]* ?=[^"\\\0]*)?$/;

const packedLine = /^(?:#.*|[0-9a-f]{40} \S.*|\^[0-9a-f]{40})$/;

/** Loose references read without `--fsck`. */
const maxLooseRefs = 10_000;

/** Whether HEAD names a branch; null, or what is wrong with it. */
export async function headFault(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, 'HEAD'), 'utf8');
  return headText.test(text.trimEnd())
    ? null
    : `HEAD ${text === '' ? 'is empty' : 'names no branch'}`;
}

/** Has HEAD name a branch; nothing else is in that file. */
export async function writeHead(folder: string, branch: string): Promise<void> {
  const draft = join(folder, `HEAD.${process.pid}`);
  await writeFile(draft, `ref: refs/heads/${branch}\n`, { flush: true });
  await rename(draft, join(folder, 'HEAD'));
  await syncPath(folder);
}

async function configFault(folder: string): Promise<string | null> {
  const path = join(folder, 'config');
  const text = await orMissing(readFile(path, 'utf8'));
  if (text === null || text.split('\n').every((line) => settingLine.test(line.trim()))) return null;
  const { code } = await tryGit(['config', '--file', path, '--list']);
  return code === 0 ? null : 'config cannot be read';
}

async function folderFault(folder: string): Promise<string | null> {
  for (const name of ['refs', 'objects']) {
    const stats = await orMissing(stat(join(folder, name)));
    if (!stats?.isDirectory()) return `${name} is missing`;
  }
  return null;
}

/** The lines of the packed references, or what is wrong with their file. */
async function packedLines(folder: string): Promise<readonly string[] | string> {
  if (await hasEmptyPackedRefs(folder)) return 'packed-refs is empty';
  const text = await orMissing(readFile(join(folder, 'packed-refs'), 'latin1'));
  if (text === null) return [];
  const lines = text.split('\n');
  const isWhole = lines.pop() === '' && lines.every((line) => packedLine.test(line));
  return isWhole ? lines.filter((line) => !line.startsWith('#')) : 'packed-refs is damaged';
}

async function refsFault(folder: string, hasCommits: boolean): Promise<string | null> {
  const packed = await packedLines(folder);
  if (typeof packed === 'string') return packed;
  const options = { recursive: true, withFileTypes: true } as const;
  const entries = (await orMissing(readdir(join(folder, 'refs'), options))) ?? [];
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'));
  if (hasCommits && packed.length === 0 && files.length === 0) return 'no reference is left';
  for (const { parentPath, name } of files.slice(0, maxLooseRefs)) {
    const ref = relative(folder, join(parentPath, name));
    if (await isDamagedRef(folder, ref)) return `${ref} is damaged`;
  }
  return null;
}

/**
 * What is wrong with the few files without which git does not read a repository, or reads too little of
 * it; `hasCommits` when they were last counted.
 */
export async function fileFault(folder: string, hasCommits: boolean): Promise<string | null> {
  for (const faultOf of [headFault, folderFault, configFault]) {
    const fault = await faultOf(folder);
    if (fault !== null) return fault;
  }
  return refsFault(folder, hasCommits);
}
