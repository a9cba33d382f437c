import type { GitStore } from '../../schema/ports/git.ts';
import { newAddress, type Storages } from './address.ts';
import { blobReader } from './blobs.ts';
import { commitReader } from './commits.ts';
import { createRepository, removeRepository } from './creation.ts';
import { objectDatabase } from './object-database.ts';
import { refLists } from './ref-lists.ts';
import { refWriter } from './ref-updates.ts';
import { refReader } from './refs.ts';
import { tagWriter } from './tags.ts';
import { treeReader } from './trees.ts';

/** The store, and the way to end its lasting git processes. */
export type ClosableGitStore = GitStore & { close(): Promise<void> };

/** Git storage in `storages`, name → absolute folder; several processes may share them. */
export function gitStore({ storages }: { readonly storages: Storages }): ClosableGitStore {
  const objects = objectDatabase(storages);
  return {
    place: (storage) => newAddress(storages, storage),
    create: (repository, commit) => createRepository(storages, repository, commit),
    remove: async (repository) => {
      await objects.release(repository);
      await removeRepository(storages, repository);
    },
    ...treeReader(storages, objects),
    ...blobReader(storages, objects),
    ...refReader(storages, objects),
    ...refLists(storages),
    ...commitReader(objects),
    ...refWriter(storages, objects),
    ...tagWriter(storages),
    close: objects.close,
  };
}
