import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import git from 'isomorphic-git';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import { orMissing } from '../../disk/files.ts';
import { isWiki, keyOf, repositoryFolder, type Storages, storageFolder } from '../address.ts';

/** No repository can have this name. */
const creatingFolder = '+making';
export const wikiBranch = 'master';

/** Creates a bare repository with the default branch `master` in an existing folder. */
export const initRepository = (dir: string): Promise<void> =>
  git.init({ fs, dir, bare: true, defaultBranch: wikiBranch });

/** Whether the wiki's repository exists. */
export const wikiExists = async (storages: Storages, wiki: RepositoryAddress): Promise<boolean> =>
  (await orMissing(stat(join(repositoryFolder(storages, wiki), 'HEAD')))) !== null;

/** Whether it is the address of a wiki that does not exist yet. */
export const isMissingWiki = async (storages: Storages, repository: RepositoryAddress) =>
  isWiki(repository) && !(await wikiExists(storages, repository));

/**
 * Creates a wiki's repository in a temporary folder and renames it into place: of concurrent calls
 * one succeeds, and a kill leaves nothing incomplete. Returns true if this call created it.
 */
export async function makeWiki(storages: Storages, wiki: RepositoryAddress): Promise<boolean> {
  if (await wikiExists(storages, wiki)) return false;
  const parent = join(storageFolder(storages, wiki.storage), creatingFolder);
  const fresh = join(parent, `${keyOf(wiki)}.${randomBytes(8).toString('hex')}`);
  const folder = repositoryFolder(storages, wiki);
  await mkdir(fresh, { recursive: true });
  try {
    await initRepository(fresh);
    await mkdir(dirname(folder), { recursive: true });
    await rename(fresh, folder);
    return true;
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw error;
  }
}

/** At startup: removes incomplete repositories that killed processes left. */
export async function sweepWikis(storages: Storages, olderThan: Date): Promise<void> {
  for (const root of storages.values()) {
    const names = await readdir(join(root, creatingFolder)).catch(() => []);
    for (const name of names) {
      const path = join(root, creatingFolder, name);
      const stats = await stat(path).catch(() => null);
      if (stats && stats.mtime < olderThan) await rm(path, { recursive: true, force: true });
    }
  }
}
