import type { RepositoryAddress } from './address.ts';

/** A branch or tag by its kind and its name without the prefix. */
export interface NamedRef {
  readonly kind: 'branch' | 'tag';
  readonly name: string;
}

/** Queries on branches. */
export interface GitBranches {
  /**
   * The branches, then the tags of these kinds from which the commit `sha` (a full id) can be reached,
   * by name. Throws if there are too many, or if the search takes too long.
   */
  refsWith(
    repository: RepositoryAddress,
    sha: string,
    kinds: readonly NamedRef['kind'][],
    signal?: AbortSignal | null,
  ): Promise<readonly NamedRef[]>;
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
