import type { RepositoryAddress } from './address.ts';
import type { Writer } from './writing.ts';

/** The change of one file. Paths start at the root and were checked by the core. */
export type FileChange =
  | { readonly kind: 'create' | 'update'; readonly path: string; readonly content: Uint8Array }
  | { readonly kind: 'delete'; readonly path: string }
  | {
      readonly kind: 'move';
      readonly path: string;
      readonly previousPath: string;
      /** Null: unchanged. */
      readonly content: Uint8Array | null;
    };

export interface NewCommit {
  /** Null in an empty repository. */
  readonly parent: string | null;
  /** Applied in order: later changes see the results of earlier ones. */
  readonly changes: readonly FileChange[];
  readonly message: string;
  readonly author: Writer;
  readonly committer: Writer;
}

/**
 * Why the changes are rejected: a file or folder with that name exists, the file is missing, it is
 * a symbolic link without text, git's programs would reject it, or the request is too large.
 */
export type ChangeFault =
  | 'file'
  | 'folder'
  | 'missing'
  | 'link'
  | 'malformed'
  /** A folder on the path cannot be written again without a loss. */
  | 'damaged'
  | 'too many';

export type CommitWritten = { readonly id: string } | { readonly fault: ChangeFault };

export interface CommitPick {
  /** The commit to cherry-pick: its changes against its first parent. */
  readonly commit: string;
  readonly onto: string;
  /** The author stays. */
  readonly committer: Writer;
}

export interface CommitRevert {
  /** The commit whose changes against its first parent are undone. */
  readonly commit: string;
  readonly onto: string;
  /** Also the author. */
  readonly committer: Writer;
  readonly message: string;
}

export interface Rebase {
  /** The commits to rebase: those reachable from it and not from `onto`. */
  readonly head: string;
  readonly onto: string;
  /** The authors stay. */
  readonly committer: Writer;
}

/** The new head; or a conflict, or more commits than one rebase may have or finish in time. */
export type Rebased = { readonly id: string } | { readonly fault: 'conflict' | 'too many' };

/** Writes commits without a work tree. No reference names them yet; they are safe on disk. */
export interface GitCommitWriting {
  /** Rewrites only the trees above changed files; everything else stays byte for byte. */
  writeCommit(repository: RepositoryAddress, commit: NewCommit): Promise<CommitWritten>;
  /** The new commit's id; null for a conflict or an empty change. */
  pickCommit(
    repository: RepositoryAddress,
    pick: CommitPick,
    signal?: AbortSignal | null,
  ): Promise<string | null>;
  /** The new commit's id; null for a conflict or an empty change. */
  revertCommit(
    repository: RepositoryAddress,
    revert: CommitRevert,
    signal?: AbortSignal | null,
  ): Promise<string | null>;
  /** Cherry-picks a line of commits, without merges, onto another commit. */
  rebaseCommits(
    repository: RepositoryAddress,
    rebase: Rebase,
    signal?: AbortSignal | null,
  ): Promise<Rebased>;
}
