import type { RepositoryAddress } from './address.ts';
import type { Writer } from './writing.ts';

/** The head commit of a merge request, as kept in the target repository. */
export interface MergeHead {
  /** The number of the merge request: `refs/merge-requests/<number>/head` keeps the commit. */
  readonly number: number;
  readonly sha: string;
  /** The repository that contains the commit. */
  readonly source: RepositoryAddress;
}

/** Commits of a merge request that no branch needs to have. */
export interface FormerHeads {
  /** The number of the merge request: `refs/merge-request-versions/<number>` keeps the commits. */
  readonly number: number;
  /** They must exist; none deletes the reference. */
  readonly shas: readonly string[];
  /** What the reference points to, as `formerHeads` gave it before `shas` were read. */
  readonly before: string | null;
}

/** Two full commit ids: the target and the head. */
export interface MergeSides {
  readonly target: string;
  readonly head: string;
}

export interface NewMerge extends MergeSides {
  readonly message: string;
  /** Author and committer. */
  readonly writer: Writer;
}

/** The files that git cannot merge. */
export interface Conflicts {
  /** At most 100. */
  readonly paths: readonly string[];
  /** Whether there may be more: a limit of time or size was reached. */
  readonly isCut: boolean;
}

/** Merges without a work tree. Nothing is visible until a reference moves. */
export interface GitMerging {
  /**
   * Copies a commit with its history and keeps it under a reference, whatever happens to its
   * branch. Shares nothing with the source. False if the source has no such commit.
   */
  keepMergeHead(
    repository: RepositoryAddress,
    head: MergeHead,
    signal?: AbortSignal | null,
  ): Promise<boolean>;
  /**
   * Copies a commit with its history without a reference: it stays for some days. Concurrent
   * requests for the same commit share one copy. False if the source has no such commit.
   */
  bringCommit(
    repository: RepositoryAddress,
    commit: Pick<MergeHead, 'sha' | 'source'>,
    signal?: AbortSignal | null,
  ): Promise<boolean>;
  /**
   * Keeps the merge commit of a merge request's branches by `refs/merge-requests/<number>/merge`; the
   * last of concurrent calls wins.
   */
  keepMerge(repository: RepositoryAddress, merge: Omit<MergeHead, 'source'>): Promise<void>;
  /**
   * Keeps the former heads of a merge request by one reference, which clients do not see. False if the
   * reference has another value than `before`: read the heads again.
   */
  keepFormerHeads(repository: RepositoryAddress, heads: FormerHeads): Promise<boolean>;
  /** What the reference to the former heads of a merge request points to; null without one. */
  formerHeads(repository: RepositoryAddress, number: number): Promise<string | null>;
  /** The numbers of all merge requests with kept commits. */
  mergeHeads(repository: RepositoryAddress): Promise<readonly number[]>;
  /** Deletes the references of a merge request; missing ones are no error. */
  dropMergeHead(repository: RepositoryAddress, number: number): Promise<void>;
  /** The merge base, or null for unrelated histories. */
  mergeBase(
    repository: RepositoryAddress,
    sides: MergeSides,
    signal?: AbortSignal | null,
  ): Promise<string | null>;
  /** Whether git can merge without conflicts. */
  canMerge(
    repository: RepositoryAddress,
    sides: MergeSides,
    signal?: AbortSignal | null,
  ): Promise<boolean>;
  /** The files that conflict; none if git can merge. */
  conflicts(
    repository: RepositoryAddress,
    sides: MergeSides,
    signal?: AbortSignal | null,
  ): Promise<Conflicts>;
  /** The id of a merge commit that no reference names yet, safe on disk; null for a conflict. */
  writeMerge(
    repository: RepositoryAddress,
    merge: NewMerge,
    signal?: AbortSignal | null,
  ): Promise<string | null>;
  /** Commits reachable from `head` and not from `without`: newest first, at most `limit`. */
  commitsToMerge(
    repository: RepositoryAddress,
    commits: { readonly head: string; readonly without: readonly string[] },
    limit: number,
    signal?: AbortSignal | null,
  ): Promise<{ readonly ids: readonly string[]; readonly isCut: boolean }>;
}
