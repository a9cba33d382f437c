import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { orMissing, syncPath } from '../../disk/files.ts';

const looseFolderName = /^[0-9a-f]{2}$/;
const looseFileName = /^[0-9a-f]{38}$/;
/** `.idx` makes a pack visible to git, so it is linked last. */
const packExtensions = ['pack', 'rev', 'bitmap', 'mtimes', 'idx'] as const;
const packIndexName = /^(pack-[0-9a-f]{40})\.idx$/;

/** Attempts while the repository is being repacked. */
const maxRounds = 5;
const maxConcurrentLinks = 8;

/** Errors after which files are copied instead: another file system, too many links. */
const noLinkErrors: ReadonlySet<string | undefined> = new Set([
  'EXDEV',
  'EMLINK',
  'EPERM',
  'EACCES',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
]);

/**
 * Hard-links every object file of `from` into the `objects` folder `to`: git never modifies these
 * files, and removing one link does not affect the other. Files that vanish because of a concurrent
 * repack are searched again.
 */
export async function linkObjects(from: string, to: string, signal?: AbortSignal): Promise<void> {
  for (let round = 1; round <= maxRounds; round += 1) {
    // a repack writes the pack before it deletes loose objects: link loose objects first, then
    // packs
    const areLooseWhole = await linkLoose(from, to, signal);
    const arePacksWhole = await linkPacks(from, to, signal);
    if (areLooseWhole && arePacksWhole) return;
  }
}

/** Each step returns whether all files it had listed still existed. */
async function linkLoose(from: string, to: string, signal?: AbortSignal): Promise<boolean> {
  let isWhole = true;
  for (const folder of await readdir(from)) {
    if (!looseFolderName.test(folder)) continue;
    const names = (await namesIn(join(from, folder))).filter((name) => looseFileName.test(name));
    if (names.length === 0) continue;
    await makeFolder(join(to, folder));
    for (let at = 0; at < names.length; at += maxConcurrentLinks) {
      signal?.throwIfAborted();
      const batch = names.slice(at, at + maxConcurrentLinks).map((name) => join(folder, name));
      const linked = await Promise.all(batch.map((path) => give(from, to, path)));
      isWhole &&= linked.every((isThere) => isThere);
    }
    await syncPath(join(to, folder));
  }
  await syncPath(to);
  return isWhole;
}

async function linkPacks(from: string, to: string, signal?: AbortSignal): Promise<boolean> {
  await makeFolder(join(to, 'pack'));
  const names = await namesIn(join(from, 'pack'));
  let isWhole = true;
  for (const name of names) {
    const pack = packIndexName.exec(name)?.[1];
    if (pack === undefined) continue;
    signal?.throwIfAborted();
    const parts = packExtensions.filter((part) => names.includes(`${pack}.${part}`));
    const given: string[] = [];
    for (const part of parts) {
      const path = join('pack', `${pack}.${part}`);
      if (await give(from, to, path)) given.push(path);
      else if (part === 'pack' || part === 'idx') {
        // without its other parts git would never read or delete it
        await Promise.all(given.map((path) => rm(join(to, path), { force: true })));
        isWhole = false;
        break;
      }
    }
  }
  await syncPath(join(to, 'pack'));
  return isWhole;
}

/** Links one file; false when the source no longer has it. */
async function give(from: string, to: string, path: string): Promise<boolean> {
  const [source, target] = [join(from, path), join(to, path)];
  try {
    await link(source, target);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return true;
    if (code === 'ENOENT') return false;
    if (!noLinkErrors.has(code)) throw error;
  }
  // git's own name for temporary files: git removes those left by a kill
  const temporary = join(to, `tmp_obj_${randomBytes(8).toString('hex')}`);
  try {
    await copyFile(source, temporary, constants.COPYFILE_FICLONE);
    await syncPath(temporary);
    await rename(temporary, target);
    return true;
  } catch (error) {
    await rm(temporary, { force: true });
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Without creating parents: a removed repository must not reappear in part. */
async function makeFolder(path: string): Promise<void> {
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

const namesIn = async (folder: string) => (await orMissing(readdir(folder))) ?? [];
