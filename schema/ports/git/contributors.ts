import type { RepositoryAddress } from './address.ts';

/** An author of commits, identified by e-mail address. */
export interface Contributor {
  /** The name in the newest commit. */
  readonly name: string;
  readonly email: string;
  readonly commits: number;
  /** Lines. */
  readonly additions: number;
  readonly deletions: number;
}

export interface GitContributors {
  /**
   * The authors of the newest 2000 commits reachable from a commit, without merges, most recent
   * author first. Cached by commit. If counting lines takes too long, those of older commits are
   * omitted.
   */
  contributors(
    repository: RepositoryAddress,
    commit: string,
    signal?: AbortSignal | null,
  ): Promise<readonly Contributor[]>;
}
