import type { RepositoryAddress } from './address.ts';

/** Finds large files that commits refer to. */
export interface GitLfsPointers {
  /**
   * The ids of the Git LFS objects whose pointers are in commits reachable from `head` and not from
   * `without`; in batches, so that memory does not grow with the history.
   */
  lfsPointers(
    repository: RepositoryAddress,
    commits: { readonly head: string; readonly without: readonly string[] },
    signal?: AbortSignal | null,
  ): AsyncIterable<readonly string[]>;
}
