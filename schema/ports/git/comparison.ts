import type { RepositoryAddress } from './address.ts';
import type { Diffs } from './diff.ts';

/** The commits and changes that one commit has and another has not. */
export interface Comparison {
  /** Oldest first. */
  readonly commitIds: readonly string[];
  /** Against the merge base; without one, against the empty tree. */
  readonly diffs: Diffs;
  /** A limit of time or size was reached: some commits, files or texts are omitted. */
  readonly isTimedOut: boolean;
}

/** Two commits, of which another repository has the first; full ids. */
export interface ComparedAcross {
  readonly from: string;
  readonly to: string;
  readonly fromRepository: RepositoryAddress;
}

export interface ComparisonAcross extends Comparison {
  /** The merge base, which both repositories have; null without one. */
  readonly base: string | null;
}

export interface GitComparisons {
  /** What `to` added since its merge base with `from`; both are full commit ids. */
  compare(
    repository: RepositoryAddress,
    commits: { readonly from: string; readonly to: string },
    signal?: AbortSignal | null,
  ): Promise<Comparison>;
  /** The same for a repository that need not have `from`, such as a fork. Writes nothing. */
  compareAcross(
    repository: RepositoryAddress,
    commits: ComparedAcross,
    signal?: AbortSignal | null,
  ): Promise<ComparisonAcross>;
}
