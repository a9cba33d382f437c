import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isOutcomeUnknown } from '../../../prisma/failures.ts';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import { orMissing } from '../../disk/files.ts';
import {
  diskPathOf,
  isKey,
  isWiki,
  keyOf,
  repositoryFolder,
  type Storages,
  storageFolder,
  wikiOf,
} from '../address.ts';
import { processState, thisProcessIdentity } from '../process/process-identity.ts';
import { initRepository, sweepWikis } from '../wikis/wiki-creation.ts';

/** No repository can have these names. */
const creatingFolder = '+creating';
const removingFolder = '+removing';
/** Content of a mark whose live process does not know whether the record was committed. */
const unknownAge = 'unknown';

/**
 * Creates a repository and runs `commit`. An exception removes the repository. A kill, or a
 * connection lost during `commit`, leaves a mark to settle: the record may exist.
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
  await writeFile(mark, await thisProcessIdentity(), { flag: 'wx' });
  try {
    await mkdir(dirname(folder), { recursive: true });
    await mkdir(folder);
  } catch (error) {
    await rm(mark, { force: true });
    throw error;
  }
  let created: T;
  try {
    await initRepository(folder);
    created = await keepingFresh(mark, commit);
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
  return created;
}

/** Milliseconds; far less than after which other machines count a mark as abandoned. */
const freshFor = 300_000;

/** Runs `work`, which may take hours, while the mark shows other machines that it still runs. */
async function keepingFresh<T>(mark: string, work: () => Promise<T>): Promise<T> {
  const touch = () => {
    const now = new Date();
    // a mark that cannot be touched has been removed
    utimes(mark, now, now).catch(() => {});
  };
  const timer = setInterval(touch, freshFor).unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/**
 * Runs `work`, which takes the record of a repository away from this address. A kill leaves a mark to
 * settle: without the record, the repository is removed. Throws if another process holds the mark.
 */
export async function leaveRepository<T>(
  storages: Storages,
  repository: RepositoryAddress,
  work: () => Promise<T>,
): Promise<T> {
  const marks = join(storageFolder(storages, repository.storage), creatingFolder);
  const mark = join(marks, keyOf(repository));
  await mkdir(marks, { recursive: true });
  await writeFile(mark, await thisProcessIdentity(), { flag: 'wx' });
  try {
    const result = await keepingFresh(mark, work);
    await rm(mark, { force: true });
    return result;
  } catch (error) {
    if (isOutcomeUnknown(error)) await writeFile(mark, unknownAge);
    else await rm(mark, { force: true });
    throw error;
  }
}

/** Renames the repository away, then deletes its files; does nothing if it does not exist. */
export async function removeRepository(storages: Storages, repository: RepositoryAddress) {
  const removing = join(storageFolder(storages, repository.storage), removingFolder);
  const removed = join(removing, keyOf(repository));
  await mkdir(removing, { recursive: true });
  const folder = repositoryFolder(storages, repository);
  try {
    await rename(folder, removed);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // concurrent writes recreate folders, which another call may be deleting
    if (code === 'ENOTEMPTY' || code === 'EEXIST') await clear(folder);
    else if (code !== 'ENOENT') throw error;
  }
  await clear(removed);
}

const clear = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 3 });

/** Marks older than these times are settled even if their process is not visible. */
interface SettleBefore {
  /** A commit whose response was lost has finished by then. */
  readonly unknown: Date;
  /** A process on another machine has exited or finished by then. */
  readonly unseen: Date;
}

/**
 * Completes creations and removals that a killed process or a lost connection left unfinished;
 * `exists` returns whether there is a record of a repository, or of a wiki's project, at its address. Never touches the work of a running process.
 */
export async function settleCreations(
  storages: Storages,
  exists: (repository: RepositoryAddress) => Promise<boolean>,
  before: SettleBefore,
): Promise<void> {
  await sweepWikis(storages, before.unseen);
  for (const [storage, root] of storages) {
    for (const key of await keysIn(join(root, creatingFolder))) {
      const mark = join(root, creatingFolder, key);
      if (!(await isLeftBehind(mark, before))) continue;
      const repository = { storage, diskPath: diskPathOf(key) };
      if (!(await exists(repository))) {
        // a move leaves both behind
        if (!isWiki(repository)) await removeRepository(storages, wikiOf(repository));
        await removeRepository(storages, repository);
      }
      await rm(mark, { force: true });
    }
    for (const key of await keysIn(join(root, removingFolder)))
      await rm(join(root, removingFolder, key), { recursive: true, force: true, maxRetries: 3 });
  }
}

async function isLeftBehind(mark: string, before: SettleBefore): Promise<boolean> {
  const stats = await orMissing(stat(mark));
  const maker = await orMissing(readFile(mark, 'utf8'));
  if (stats === null || maker === null) return false;
  if (maker === unknownAge) return stats.mtime < before.unknown;
  const state = await processState(maker);
  return state === 'exited' || (state === 'unseen' && stats.mtime < before.unseen);
}

const keysIn = async (folder: string) => ((await orMissing(readdir(folder))) ?? []).filter(isKey);
