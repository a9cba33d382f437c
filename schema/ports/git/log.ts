import type { RepositoryAddress } from './address.ts';

export interface LogQuery {
  /** Where to begin: a commit's whole id, or all branches and tags. */
  readonly from: string | 'all';
  /** Only commits that changed what lies here, from the root; '' for all. */
  readonly path: string;
  /** Only commits that were committed then or later. */
  readonly since: Date | null;
  /** Only commits that were committed then or earlier. */
  readonly until: Date | null;
  readonly offset: number;
  readonly limit: number;
}

export interface LogPage {
  /** In the order of `git log`: the newest first, children before their parents' time. */
  readonly ids: readonly string[];
  readonly total: number;
}

/** How many lines of text a commit added and took away, against its first parent. */
export interface LineCounts {
  readonly additions: number;
  readonly deletions: number;
}

/** What lies behind commits. `signal` ends the work; what was asked then rejects. */
export interface GitLog {
  /** A page of history. A page near the newest commits, asked for again, costs no process. */
  log(
    repository: RepositoryAddress,
    query: LogQuery,
    signal?: AbortSignal | null,
  ): Promise<LogPage>;
  /** Null when it takes too long to count them. */
  lineCounts(
    repository: RepositoryAddress,
    commits: { readonly from: string | null; readonly to: string },
    signal?: AbortSignal | null,
  ): Promise<LineCounts | null>;
  /** The first branch by name that has a commit behind it, without `refs/heads/`; or null. */
  branchWith(
    repository: RepositoryAddress,
    sha: string,
    signal?: AbortSignal | null,
  ): Promise<string | null>;
}
