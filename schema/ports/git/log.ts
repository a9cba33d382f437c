import type { RepositoryAddress } from './address.ts';

export interface LogQuery {
  /** The start: a full commit id, or all branches and tags. */
  readonly from: string | 'all';
  /** Only commits that changed this path from the root; '' for all. */
  readonly path: string;
  /** Only commits at or after this time. */
  readonly since: Date | null;
  /** Only commits at or before this time. */
  readonly until: Date | null;
  readonly offset: number;
  readonly limit: number;
}

export interface LogPage {
  /** In the order of `git log`: newest first, children before their parents. */
  readonly ids: readonly string[];
  readonly total: number;
}

/** The lines that a commit added and deleted, against its first parent. */
export interface LineCounts {
  readonly additions: number;
  readonly deletions: number;
}

/** Queries on commit history. Pending calls reject if `signal` is aborted. */
export interface GitLog {
  /** A page of history. Repeated requests for a page near the newest commits start no process. */
  log(
    repository: RepositoryAddress,
    query: LogQuery,
    signal?: AbortSignal | null,
  ): Promise<LogPage>;
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
