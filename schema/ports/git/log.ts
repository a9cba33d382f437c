import type { RepositoryAddress } from './address.ts';

/** A part of the history. */
export interface LogRange {
  /** The start: a full commit id, or all branches and tags. */
  readonly from: string | 'all';
  /** Only commits that changed this path from the root; '' for all. */
  readonly path: string;
  /** Only commits whose message has this text, in any case of ASCII letters; '' for all. */
  readonly message: string;
  /** Only commits at or after this time. */
  readonly since: Date | null;
  /** Only commits at or before this time. */
  readonly until: Date | null;
}

/** A page of a part of the history. */
export interface LogQuery extends LogRange {
  readonly offset: number;
  readonly limit: number;
}

/** The lines that a commit added and deleted, against its first parent. */
export interface LineCounts {
  readonly additions: number;
  readonly deletions: number;
}

/** Queries on commit history. Pending calls reject if `signal` is aborted. */
export interface GitLog {
  /**
   * The ids of a page of history in the order of `git log`: newest first. Repeated requests for a
   * page near the newest commits start no process.
   */
  log(
    repository: RepositoryAddress,
    query: LogQuery,
    signal?: AbortSignal | null,
  ): Promise<readonly string[]>;
  /** The number of commits. Walks the whole history, unless the result is known. */
  logTotal(
    repository: RepositoryAddress,
    range: LogRange,
    signal?: AbortSignal | null,
  ): Promise<number>;
  /** Null if counting takes too long. */
  lineCounts(
    repository: RepositoryAddress,
    commits: { readonly from: string | null; readonly to: string },
    signal?: AbortSignal | null,
  ): Promise<LineCounts | null>;
  /** The first branch by name that contains a commit, without `refs/heads/`; or null. */
  branchWith(
    repository: RepositoryAddress,
    sha: string,
    signal?: AbortSignal | null,
  ): Promise<string | null>;
}
