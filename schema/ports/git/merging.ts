import type { RepositoryAddress } from './address.ts';
import type { Writer } from './writing.ts';

/** A commit that is to be merged, as it is kept where it is to go. */
export interface MergeHead {
  /** The number of the merge request: `refs/merge-requests/<number>/head` keeps the commit. */
  readonly number: number;
  readonly sha: string;
  /** Where the commit is now. */
  readonly source: RepositoryAddress;
}

/** Two whole ids of commits: where it goes to, and what is to come. */
export interface MergeSides {
  readonly target: string;
  readonly head: string;
}

export interface NewMerge extends MergeSides {
  readonly message: string;
  /** Its author and committer. */
  readonly writer: Writer;
}

/** Merges without a work tree. Until a reference is moved, nothing of it can be seen. */
export interface GitMerging {
  /**
   * Brings a commit with all that is behind it, and names it, so that it stays whatever becomes of
   * its branch. Nothing is shared with the source but what was copied. False: the source has no such commit.
   */
  keepMergeHead(
    repository: RepositoryAddress,
    head: MergeHead,
    signal?: AbortSignal | null,
  ): Promise<boolean>;
  /**
   * Brings a commit with all that is behind it, and names it nowhere: it stays for some days. Several
   * at once who want the same wait for one. False: the source has no such commit.
   */
  bringCommit(
    repository: RepositoryAddress,
    commit: Pick<MergeHead, 'sha' | 'source'>,
    signal?: AbortSignal | null,
  ): Promise<boolean>;
  /** The numbers of those that are kept. */
  mergeHeads(repository: RepositoryAddress): Promise<readonly number[]>;
  /** Names it no longer; nothing there is no error. */
  dropMergeHead(repository: RepositoryAddress, number: number): Promise<void>;
  /** The commit at which the two parted; null when they have nothing in common. */
  mergeBase(
    repository: RepositoryAddress,
    sides: MergeSides,
    signal?: AbortSignal | null,
  ): Promise<string | null>;
  /** Whether git merges them by itself: false when there is a conflict. */
  canMerge(
    repository: RepositoryAddress,
    sides: MergeSides,
    signal?: AbortSignal | null,
  ): Promise<boolean>;
  /** The id of a merge that no reference names yet, safe on disk; null when there is a conflict. */
  writeMerge(
    repository: RepositoryAddress,
    merge: NewMerge,
    signal?: AbortSignal | null,
  ): Promise<string | null>;
  /** Commits that `head` has and none of `without` has: the newest first, no more than `limit`. */
  commitsToMerge(
    repository: RepositoryAddress,
    commits: { readonly head: string; readonly without: readonly string[] },
    limit: number,
    signal?: AbortSignal | null,
  ): Promise<{ readonly ids: readonly string[]; readonly isCut: boolean }>;
}
