import type { RepositoryAddress } from './address.ts';

/** What a repository tells of the past of one file. */
export interface GitFileHistory {
  /**
   * The newest commit, from `sha` back, that changed what lies at `path`; null when none did. `signal`
   * ends the work behind it; it then rejects.
   */
  lastCommitOf(
    repository: RepositoryAddress,
    sha: string,
    path: string,
    signal?: AbortSignal | null,
  ): Promise<string | null>;
}
