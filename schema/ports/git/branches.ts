import type { RepositoryAddress } from './address.ts';

/** What a repository tells of its branches. */
export interface GitBranches {
  /**
   * Those of `ids` (whole ids of commits) that the commit `tip` has behind it, itself among them. A
   * verdict is kept, for history does not change; all that are unknown cost one process together.
   * `signal` ends the work behind it, unless somebody else waits for the same.
   */
  merged(
    repository: RepositoryAddress,
    tip: string,
    ids: readonly string[],
    signal?: AbortSignal | null,
  ): Promise<ReadonlySet<string>>;
}
