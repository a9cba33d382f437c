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

/** Milliseconds; far less than after which other machines count a mark as abandoned. */
const freshFor = 300_000;

/**
 * Runs `work`, which stores or changes the record of a repository, with a mark at this address. A
 * kill, or a connection lost during `work`, leaves the mark to settle: without a record of this
 * address, the repository is removed. Throws if another process holds the mark.
 */
export async function withMark<T>(
  storages: Storages,
  repository: RepositoryAddress,
  work: () => Promise<T>,
): Promise<T> {
  const marks = join(storageFolder(storages, repository.storage), creatingFolder);
  const mark = join(marks, keyOf(repository));
  await mkdir(marks, { recursive: true });
  await writeFile(mark, await thisProcessIdentity(), { flag: 'wx' });
  // work may take hours; a mark that cannot be touched has been removed
  const touch = () => utimes(mark, new Date(), new Date()).catch(() => {});
  const timer = setInterval(touch, freshFor).unref();
  try {
    const result = await work();
    await rm(mark, { force: true });
    return result;
  } catch (error) {
    if (isOutcomeUnknown(error)) await writeFile(mark, unknownAge);
    else await rm(mark, { force: true });
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/**
 * Creates a repository and runs `commit`. An exception removes the repository, unless the outcome of
 * `commit` is unknown: the mark remains, because the record may exist. An address is used once: a
 * second creation fails and leaves the first one's repository.
 */
export const createRepository = <T>(
  storages: Storages,
  repository: RepositoryAddress,
  commit: () => Promise<T>,
): Promise<T> =>
  withMark(storages, repository, async () => {
    const folder = repositoryFolder(storages, repository);
    await mkdir(dirname(folder), { recursive: true });
    await mkdir(folder);
    try {
      await initRepository(folder);
      return await commit();
    } catch (error) {
      if (!isOutcomeUnknown(error)) await removeRepository(storages, repository);
      throw error;
    }
  });

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
