import * as fs from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import git from 'isomorphic-git';
import type { RepositoryAddress } from '../../schema/ports/git.ts';
import {
  diskPathOf,
  isKey,
  keyOf,
  repositoryFolder,
  type Storages,
  storageFolder,
} from './address.ts';
import { isGone, thisMaker } from './maker.ts';
import { sweepWikis } from './wiki-creation.ts';

/** Names that no repository can have. */
const CREATING = '+creating';
const REMOVING = '+removing';
const DEFAULT_BRANCH = 'master';

/** Makes a repository and runs `commit`; a throw removes it, a kill leaves a mark to settle. */
export async function createRepository<T>(
  storages: Storages,
  repository: RepositoryAddress,
  commit: () => Promise<T>,
): Promise<T> {
  const folder = repositoryFolder(storages, repository);
  const marks = join(storageFolder(storages, repository.storage), CREATING);
  const mark = join(marks, keyOf(repository));
  await mkdir(marks, { recursive: true });
  // an address is used once: a second creation must not remove the first one's repository
  await writeFile(mark, await thisMaker(), { flag: 'wx' });
  try {
    await mkdir(dirname(folder), { recursive: true });
    await mkdir(folder);
  } catch (error) {
    await rm(mark, { force: true });
    throw error;
  }
  let made: T;
  try {
    await git.init({ fs, dir: folder, bare: true, defaultBranch: DEFAULT_BRANCH });
    made = await commit();
  } catch (error) {
    await removeRepository(storages, repository);
    await rm(mark, { force: true });
    throw error;
  }
  await rm(mark, { force: true });
  return made;
}

/** Takes the repository away at once and then clears its files; nothing there is no error. */
export async function removeRepository(storages: Storages, repository: RepositoryAddress) {
  const removing = join(storageFolder(storages, repository.storage), REMOVING);
  const doomed = join(removing, keyOf(repository));
  await mkdir(removing, { recursive: true });
  const folder = repositoryFolder(storages, repository);
  try {
    await rename(folder, doomed);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // what is written to it meanwhile makes folders anew, which another one may be clearing as well
    if (code === 'ENOTEMPTY' || code === 'EEXIST') await clear(folder);
    else ignoreMissing(error);
  }
  await clear(doomed);
}

const clear = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 3 });

/**
 * At the start: finishes what a killed process left half made or half removed. A mark is settled
 * when its process is gone or it is older than `olderThan`; `exists` tells whether the record is there.
 */
export async function settleCreations(
  storages: Storages,
  exists: (diskPath: string) => Promise<boolean>,
  olderThan: Date,
): Promise<void> {
  await sweepWikis(storages, olderThan);
  for (const [storage, root] of storages) {
    for (const key of await keysIn(join(root, CREATING))) {
      const mark = join(root, CREATING, key);
      if (!(await isLeftBehind(mark, olderThan))) continue;
      const repository = { storage, diskPath: diskPathOf(key) };
      if (!(await exists(repository.diskPath))) await removeRepository(storages, repository);
      await rm(mark, { force: true });
    }
    for (const key of await keysIn(join(root, REMOVING)))
      await rm(join(root, REMOVING, key), { recursive: true, force: true, maxRetries: 3 });
  }
}

async function isLeftBehind(mark: string, olderThan: Date): Promise<boolean> {
  try {
    if ((await stat(mark)).mtime < olderThan) return true;
    return await isGone(await readFile(mark, 'utf8'));
  } catch (error) {
    ignoreMissing(error);
    return false;
  }
}

const keysIn = async (folder: string) =>
  (await readdir(folder).catch((error) => ignoreMissing(error) ?? [])).filter(isKey);

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
