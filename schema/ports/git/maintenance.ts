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
}
