import type { RepositoryAddress } from './address.ts';
import type { Diffs } from './diff.ts';

/** What one commit has that another has not. */
export interface Comparison {
  /** Oldest first. */
  readonly commitIds: readonly string[];
  /** From where the two parted; without such a commit, from nothing. */
  readonly diffs: Diffs;
  /** A limit of time or size was reached: some commits, files or texts are left out. */
  readonly isTimedOut: boolean;
}

export interface GitComparisons {
  /** What `to` has brought since it parted from `from`, both whole ids of commits. */
  compare(
    repository: RepositoryAddress,
    commits: { readonly from: string; readonly to: string },
    signal?: AbortSignal | null,
  ): Promise<Comparison>;
}
