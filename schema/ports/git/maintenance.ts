import type { RepositoryAddress } from './address.ts';

/** Keeps a repository small and fast; ignores a wiki that does not exist yet. */
export interface GitMaintenance {
  /**
   * Whether there are enough loose objects, packs or objects outside of the bitmap, by which clones
   * are fast, to make maintenance worthwhile.
   */
  needsMaintenance(repository: RepositoryAddress): Promise<boolean>;
  /**
   * Repacks objects and references, with a bitmap and a commit graph; unreachable objects are deleted
   * after two weeks. Throws if another process is doing it.
   */
  maintain(repository: RepositoryAddress): Promise<void>;
  /** Whether there are many loose objects, packs, or packed objects newer than the commit graph. */
  needsPacking(repository: RepositoryAddress): Promise<boolean>;
  /**
   * Packs loose objects, joins small packs and adds new commits to the commit graph. Deletes no object,
   * and costs as much as what was added since it last ran.
   */
  packNewObjects(repository: RepositoryAddress): Promise<void>;
}
