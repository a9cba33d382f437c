import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { RepositoryAddress } from '../../schema/ports/git/address.ts';
import { orMissing } from '../disk/files.ts';

/** Storage name → absolute folder. */
export type Storages = ReadonlyMap<string, string>;

const diskPathPattern = /^([0-9a-f]{2})\/([0-9a-f]{2})\/\1\2[0-9a-f]{28}(?:\.wiki)?$/;

/** Two levels of folders keep each folder small. */
export const diskPathOf = (key: string) => `${key.slice(0, 2)}/${key.slice(2, 4)}/${key}`;

/** The repository's name within its storage: 32 hex digits, with a suffix for wikis. */
export const keyOf = ({ diskPath }: RepositoryAddress) =>
  diskPath.slice(diskPath.lastIndexOf('/') + 1);

export const isKey = (text: string) => /^[0-9a-f]{32}(?:\.wiki)?$/.test(text);

/** The address of the wiki of the project with this repository. */
export const wikiOf = ({ storage, diskPath }: RepositoryAddress): RepositoryAddress => ({
  storage,
  diskPath: `${diskPath}.wiki`,
});

/** A new unique address; throws if the storage is not configured. */
export function newAddress(storages: Storages, storage: string): RepositoryAddress {
  storageFolder(storages, storage);
  return { storage, diskPath: diskPathOf(randomBytes(16).toString('hex')) };
}

/** The address of the project's repository, for one of the project or of its wiki. */
export const projectAddress = ({ storage, diskPath }: RepositoryAddress): RepositoryAddress => ({
  storage,
  diskPath: diskPath.replace(/\.wiki$/, ''),
});

export const isWiki = ({ diskPath }: RepositoryAddress) => diskPath.endsWith('.wiki');

export function storageFolder(storages: Storages, storage: string): string {
  const folder = storages.get(storage);
  if (folder === undefined) throw new Error(`There is no repository storage named "${storage}"`);
  return folder;
}

/** Whether there is a repository at an address. */
export const repositoryExists = async (
  storages: Storages,
  repository: RepositoryAddress,
): Promise<boolean> =>
  (await orMissing(stat(join(repositoryFolder(storages, repository), 'HEAD')))) !== null;

/** The repository's folder; throws on an address that `newAddress` cannot have created. */
export function repositoryFolder(storages: Storages, repository: RepositoryAddress): string {
  if (!diskPathPattern.test(repository.diskPath)) throw new Error('Malformed repository address');
  return `${join(storageFolder(storages, repository.storage), repository.diskPath)}.git`;
}

/** The repository that a path is in or names; null outside the storages. */
export function repositoryOf(storages: Storages, path: string): RepositoryAddress | null {
  for (const [storage, folder] of storages) {
    const [diskPath, ...rest] = relative(folder, path).split('.git');
    if (diskPath && rest.length > 0 && diskPathPattern.test(diskPath)) return { storage, diskPath };
  }
  return null;
}
