import type { RepositoryAddress } from './address.ts';

/** Somebody who wrote commits, by their e-mail address. */
export interface Contributor {
  /** That of their newest commit. */
  readonly name: string;
  readonly email: string;
  readonly commits: number;
  /** Lines. */
  readonly additions: number;
  readonly deletions: number;
}

export interface GitContributors {
  /**
   * Who wrote the newest 2000 commits that lead to a commit, merges not counted: whoever wrote the
   * newest first. Remembered by the commit. Where counting lines takes too long, those of the older
   * commits are left out.
   */
  contributors(
    repository: RepositoryAddress,
    commit: string,
    signal?: AbortSignal | null,
  ): Promise<readonly Contributor[]>;
}
