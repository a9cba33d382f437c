import type { RepositoryAddress } from './address.ts';

/** Keeps a repository small and fast; ignores a wiki that does not exist yet. */
export interface GitMaintenance {
  /**
   * Whether there are enough loose objects, packs or objects outside of the bitmap, by which clones
   * are fast, to make maintenance worthwhile.
   */
  needsMaintenance(repository: RepositoryAddress): Promise<boolean>;
  /**
   * Repacks objects and references, with a bitmap and a commit graph, and deletes objects that were
   * unreachable two weeks ago, too. Returns whether there are others, which a later run deletes. Throws if
   * another process is doing it.
   */
  maintain(repository: RepositoryAddress): Promise<boolean>;
  /**
   * Keeps those of these commits (full ids) that no other reference leads to, with all that they contain,
   * and no others. Ignores commits that the repository does not have.
   */
  keepCommits(repository: RepositoryAddress, ids: readonly string[]): Promise<void>;
  /** Whether other references than those of `keepCommits` lead to all of these objects (full ids) that exist. */
  isReachable(repository: RepositoryAddress, ids: readonly string[]): Promise<boolean>;
  /** Whether there are many loose objects, packs, or packed objects newer than the commit graph. */
  needsPacking(repository: RepositoryAddress): Promise<boolean>;
  /**
   * Packs loose objects, joins small packs and adds new commits to the commit graph. Deletes no object,
   * and costs as much as what was added since it last ran.
   */
  packNewObjects(repository: RepositoryAddress): Promise<void>;
}
