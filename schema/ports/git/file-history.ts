import type { RepositoryAddress } from './address.ts';

/** The history of a file. */
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
}
