import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { orMissing, syncPath } from '../../disk/files.ts';
import { type CacheFile, type CacheKind, identityOf } from './cache-files.ts';
import { startGit } from './child.ts';

/** Where damaged caches are kept until housekeeping has made them anew; git does not look there. */
const asideName = 'damaged-caches';

/** What was done about a damaged cache. */
export interface CacheRepair {
  /** The repository's folder `objects`. */
  readonly objects: string;
  readonly file: string;
  /** Null if it was set aside earlier. */
  readonly kind: CacheKind | null;
  /** `waiting`: what was set aside some time ago has not been made anew. */
  readonly outcome: 'set-aside' | 'rebuilt' | 'failed' | 'waiting';
  readonly reason?: string;
}

/** A full disk has no room for a folder: then a cache is deleted. */
const noSpace: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT']);

type OnRepair = (repair: CacheRepair) => void;

const listeners = new Set<OnRepair>();

/** Calls `listener` for each damaged cache that this process finds; returns what ends that. */
export function onCacheRepair(listener: OnRepair): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const reportRepair = (repair: CacheRepair): void => {
  for (const listener of listeners) listener(repair);
};

/** The names of the caches that have been set aside in a folder `objects`, with the time of it. */
export const cachesAside = async (objects: string): Promise<readonly string[]> =>
  (await orMissing(readdir(join(objects, asideName)))) ?? [];

/** Deletes what was set aside before a time, as it has been made anew. */
export async function clearAside(objects: string, before: number): Promise<void> {
  const folder = join(objects, asideName);
  for (const name of await cachesAside(objects)) {
    if (timeAside(name) <= before) await rm(join(folder, name), { recursive: true, force: true });
  }
  // only an empty folder is deleted
  await rmdir(folder).catch(() => {});
}

const timeText = () => new Date().toISOString().replace(/[-:.]/g, '');

/** When a cache was set aside, in milliseconds since 1970. */
export function timeAside(name: string): number {
  const [, date, time] = /\.damaged-(\d{8})T(\d{9})Z/.exec(name) ?? [];
  if (!date || !time) return 0;
  const day = date.replace(/(....)(..)(..)/, '$1-$2-$3');
  return Date.parse(`${day}T${time.replace(/(..)(..)(..)(...)/, '$1:$2:$3.$4')}Z`);
}

/** The new path of a damaged cache; its folder is not created in a repository that was removed. */
export async function pathAside(objects: string, path: string): Promise<string> {
  const folder = join(objects, asideName);
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return join(folder, `${basename(path)}.damaged-${timeText()}`);
}

/** Renames a cache away, unless another process has done so or git has replaced it. */
export async function setAside(
  objects: string,
  { path, identity }: CacheFile,
): Promise<'set-aside' | 'replaced'> {
  const target = await pathAside(objects, path).catch((error: NodeJS.ErrnoException) => {
    if (!noSpace.has(error.code)) throw error;
    return null;
  });
  if ((await identityOf(path)) !== identity) return 'replaced';
  if (target === null) {
    await rm(path, { recursive: true, force: true });
    return 'set-aside';
  }
  try {
    await rename(path, target);
    return 'set-aside';
  } catch (error) {
    if ((await identityOf(path)) === null) return 'replaced';
    throw error;
  }
}

/**
 * Makes the index of a pack from the pack and puts it in the place of the damaged one. Throws if that
 * cannot be done, as for a pack that is damaged itself.
 */
export async function rebuildIndex(objects: string, { path }: CacheFile): Promise<void> {
  const pack = path.replace(/idx$/, 'pack');
  // git's own name for temporary files: git removes those left by a kill
  const draft = join(dirname(path), `tmp_idx_${randomBytes(8).toString('hex')}`);
  try {
    await indexPack(pack, draft);
    await chmod(draft, 0o444);
    await syncPath(draft);
    const former = await orMissing(stat(path));
    if (former) {
      const target = await pathAside(objects, path);
      // a link, so that the pack has an index at every moment; some file systems have none
      await (former.isFile() ? link(path, target).catch(() => {}) : rename(path, target));
    }
    await rename(draft, path);
    await syncPath(dirname(path));
  } finally {
    await rm(draft, { force: true });
  }
}

/** Git reads the pack alone, not the repository, whose other caches may be damaged. */
async function indexPack(pack: string, index: string): Promise<void> {
  const args = ['--git-dir=/nonexistent', 'index-pack', '--no-rev-index', '-o', index, pack];
  const child = startGit(args, { isShared: true });
  child.stdin.end();
  child.stdout.resume();
  const code = await child.exit;
  if (code !== 0) throw new Error(child.stderr() || `git index-pack ended with ${code}`);
}
