import type { RepositoryAddress } from './address.ts';

/** The history of files and folders. */
export interface GitFileHistory {
  /**
   * The newest commit, from `sha` back, that changed the path; null if none did. Rejects if
   * `signal` is aborted.
   */
  lastCommitOf(
    repository: RepositoryAddress,
    sha: string,
    path: string,
    signal?: AbortSignal | null,
  ): Promise<string | null>;
  /**
   * The same for many paths of one commit, with one walk of the history. Leaves out a path that did
   * not change in the newest 5000 commits, and paths that are not found within 5 s.
   */
  lastCommitsOf(
    repository: RepositoryAddress,
    sha: string,
    paths: readonly string[],
    signal?: AbortSignal | null,
  ): Promise<ReadonlyMap<string, string>>;
}
