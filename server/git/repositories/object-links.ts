import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

const looseFolderName = /^[0-9a-f]{2}$/;
const looseFileName = /^[0-9a-f]{38}$/;
/** `.idx` is what makes a pack one: it comes last. */
const packExtensions = ['pack', 'rev', 'bitmap', 'mtimes', 'idx'] as const;
const packIndexName = /^(pack-[0-9a-f]{40})\.idx$/;

/** How often a repository that is being repacked meanwhile is looked through again. */
const maxRounds = 5;
const maxConcurrentLinks = 8;

/** Where a hard link cannot be had the content is copied: another file system, too many links. */
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
 * Gives the `objects` folder `to` every object file that `from` has, as hard links: git never changes
 * such a file, and whoever removes its own name of it takes nothing from the other. What vanishes
 * under our hands, for it was repacked, is looked for again.
 */
export async function linkObjects(from: string, to: string, signal?: AbortSignal): Promise<void> {
  for (let round = 1; round <= maxRounds; round += 1) {
    // a pack that swallows loose objects is there before they go: loose ones first, then packs
    const areLooseWhole = await linkLoose(from, to, signal);
    const arePacksWhole = await linkPacks(from, to, signal);
    if (areLooseWhole && arePacksWhole) return;
  }
}

/** Each step gives whether everything it had seen was still there. */
async function linkLoose(from: string, to: string, signal?: AbortSignal): Promise<boolean> {
  let isWhole = true;
  for (const folder of await readdir(from)) {
    if (!looseFolderName.test(folder)) continue;
    const names = (await namesIn(join(from, folder))).filter((name) => looseFileName.test(name));
    if (names.length === 0) continue;
    await makeFolder(join(to, folder));
    for (let at = 0; at < names.length; at += maxConcurrentLinks) {
      signal?.throwIfAborted();
      const some = names.slice(at, at + maxConcurrentLinks).map((name) => join(folder, name));
      const linked = await Promise.all(some.map((path) => give(from, to, path)));
      isWhole &&= linked.every((isThere) => isThere);
    }
    await flush(join(to, folder));
  }
  await flush(to);
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
        // without its other half nobody would ever read or remove it
        await Promise.all(given.map((path) => rm(join(to, path), { force: true })));
        isWhole = false;
        break;
      }
    }
  }
  await flush(join(to, 'pack'));
  return isWhole;
}

/** Puts one file there; false when the source has it no more. */
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
  // a name of git's own for what is half there: it clears away what a kill leaves
  const temporary = join(to, `tmp_obj_${randomBytes(8).toString('hex')}`);
  try {
    await copyFile(source, temporary, constants.COPYFILE_FICLONE);
    await flush(temporary);
    await rename(temporary, target);
    return true;
  } catch (error) {
    await rm(temporary, { force: true });
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Not with what is above it: a repository that was removed must not come back in part. */
async function makeFolder(path: string): Promise<void> {
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

const namesIn = (folder: string): Promise<readonly string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return [];
  });

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
