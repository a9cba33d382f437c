import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { orMissing, syncPath } from '../disk/files.ts';
import { tryGit } from '../git/process/run.ts';
import { hasEmptyPackedRefs, isDamagedRef } from '../git/refs/damaged-refs.ts';

const headText = /^(?:ref: refs\/\S+|[0-9a-f]{40})$/;

/** Settings that git accepts: those of all repositories are alike. */
const acceptedConfigs = new Set<string>();
const mostConfigs = 100;

const packedLine = /^(?:#.*|[0-9a-f]{40} \S.*|\^[0-9a-f]{40})$/;

/** Loose references read without `--fsck`. */
const maxLooseRefs = 10_000;

/** Whether HEAD names a branch; null, or what is wrong with it. */
export async function headFault(folder: string): Promise<string | null> {
  const text = await orMissing(readFile(join(folder, 'HEAD'), 'utf8'));
  if (text === null) return 'HEAD is missing';
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

/** Also of a version or an extension that this git does not know. Needs a `HEAD`, `refs` and `objects`. */
async function configFault(folder: string): Promise<string | null> {
  const text = await orMissing(readFile(join(folder, 'config'), 'utf8'));
  if (text === null || acceptedConfigs.has(text)) return null;
  const { code } = await tryGit([`--git-dir=${folder}`, 'rev-parse', '--git-dir']);
  if (code !== 0) return 'config cannot be read';
  if (acceptedConfigs.size < mostConfigs) acceptedConfigs.add(text);
  return null;
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

/** Whether a repository has objects; one that was never pushed to has none. */
async function hasObjects(folder: string): Promise<boolean> {
  const names = (await orMissing(readdir(join(folder, 'objects')))) ?? [];
  if (names.some((name) => /^[0-9a-f]{2}$/.test(name))) return true;
  const packs = (await orMissing(readdir(join(folder, 'objects/pack')))) ?? [];
  return packs.some((name) => name.endsWith('.pack'));
}

/** What is known of the commits of a repository: they were counted, or there are some if there are objects. */
export type CommitKnowledge = 'counted' | 'expected' | 'unknown';

async function refsFault(folder: string, commits: CommitKnowledge): Promise<string | null> {
  // git packs a reference before it deletes its file: in the other order it could be missed in both
  const options = { recursive: true, withFileTypes: true } as const;
  const entries = (await orMissing(readdir(join(folder, 'refs'), options))) ?? [];
  const packed = await packedLines(folder);
  if (typeof packed === 'string') return packed;
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'));
  const isEmpty = packed.length === 0 && files.length === 0;
  if (isEmpty && (commits === 'counted' || (commits === 'expected' && (await hasObjects(folder)))))
    return 'no reference is left';
  for (const { parentPath, name } of files.slice(0, maxLooseRefs)) {
    const ref = relative(folder, join(parentPath, name));
    if (await isDamagedRef(folder, ref)) return `${ref} is damaged`;
  }
  return null;
}

/**
 * What is wrong with the few files without which git does not read a repository, or reads too little of
 * it.
 */
export async function fileFault(
  folder: string,
  commits: CommitKnowledge = 'unknown',
): Promise<string | null> {
  for (const faultOf of [headFault, folderFault, configFault]) {
    const fault = await faultOf(folder);
    if (fault !== null) return fault;
  }
  return refsFault(folder, commits);
}
