import type { RepositoryAddress } from './address.ts';

/** Queries on branches. */
export interface GitBranches {
  /**
   * Those of `ids` (full commit ids) that are reachable from the commit `tip`, which includes
   * itself. Results are cached, because history does not change; all unknown ids cost one process
   * together. `signal` ends the process, unless another caller waits for the same result.
   */
  merged(
    repository: RepositoryAddress,
    tip: string,
    ids: readonly string[],
    signal?: AbortSignal | null,
  ): Promise<ReadonlySet<string>>;
}
