import * as fs from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import git from 'isomorphic-git';
import { isOutcomeUnknown } from '../../../prisma/failures.ts';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import {
  diskPathOf,
  isKey,
  keyOf,
  repositoryFolder,
  type Storages,
  storageFolder,
} from '../address.ts';
import { stateOf, thisMaker } from '../process/process-identity.ts';
import { sweepWikis } from '../wikis/wiki-creation.ts';

/** Names that no repository can have. */
const creatingFolder = '+creating';
const removingFolder = '+removing';
const defaultBranch = 'master';
/** What a mark says when its process lives and does not know whether the record was committed. */
const unknownAge = 'unknown';

/**
 * Makes a repository and runs `commit`. A throw removes it. A kill leaves a mark to settle, and so does
 * a connection that was lost during `commit`: the record may be there.
 */
export async function createRepository<T>(
  storages: Storages,
  repository: RepositoryAddress,
  commit: () => Promise<T>,
): Promise<T> {
  const folder = repositoryFolder(storages, repository);
  const marks = join(storageFolder(storages, repository.storage), creatingFolder);
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
    await git.init({ fs, dir: folder, bare: true, defaultBranch });
    made = await commit();
  } catch (error) {
    if (isOutcomeUnknown(error)) {
      await writeFile(mark, unknownAge);
    } else {
      await removeRepository(storages, repository);
      await rm(mark, { force: true });
    }
    throw error;
  }
  await rm(mark, { force: true });
  return made;
}

/** Takes the repository away at once and then clears its files; nothing there is no error. */
export async function removeRepository(storages: Storages, repository: RepositoryAddress) {
  const removing = join(storageFolder(storages, repository.storage), removingFolder);
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

/** Which marks are settled while their process cannot be seen to be gone: those older than these times. */
export interface SettleBefore {
  /** A commit whose answer was lost is over by then. */
  readonly unknown: Date;
  /** A process on another machine has ended by then, or finished what it did. */
  readonly unseen: Date;
}

/**
 * Finishes what a killed process left half made or half removed, and what a lost connection left
 * undecided; `exists` tells whether the record is there. Never touches what a living process is making.
 */
export async function settleCreations(
  storages: Storages,
  exists: (diskPath: string) => Promise<boolean>,
  before: SettleBefore,
): Promise<void> {
  await sweepWikis(storages, before.unseen);
  for (const [storage, root] of storages) {
    for (const key of await keysIn(join(root, creatingFolder))) {
      const mark = join(root, creatingFolder, key);
      if (!(await isLeftBehind(mark, before))) continue;
      const repository = { storage, diskPath: diskPathOf(key) };
      if (!(await exists(repository.diskPath))) await removeRepository(storages, repository);
      await rm(mark, { force: true });
    }
    for (const key of await keysIn(join(root, removingFolder)))
      await rm(join(root, removingFolder, key), { recursive: true, force: true, maxRetries: 3 });
  }
}

async function isLeftBehind(mark: string, before: SettleBefore): Promise<boolean> {
  try {
    const [{ mtime }, maker] = [await stat(mark), await readFile(mark, 'utf8')];
    if (maker === unknownAge) return mtime < before.unknown;
    const state = await stateOf(maker);
    return state === 'gone' || (state === 'unseen' && mtime < before.unseen);
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
