import type { RepositoryAddress } from './address.ts';
import type { Writer } from './writing.ts';

/** What becomes of one file. Paths go from the root and were judged by the core. */
export type FileChange =
  | { readonly kind: 'create' | 'update'; readonly path: string; readonly content: Uint8Array }
  | { readonly kind: 'delete'; readonly path: string }
  | {
      readonly kind: 'move';
      readonly path: string;
      readonly previousPath: string;
      /** Null: as it was. */
      readonly content: Uint8Array | null;
    };

export interface NewCommit {
  /** Null in an empty repository. */
  readonly parent: string | null;
  /** Made one after the other: a later one sees what the earlier ones did. */
  readonly changes: readonly FileChange[];
  readonly message: string;
  readonly author: Writer;
  readonly committer: Writer;
}

/**
 * Why files cannot be changed so: a file or a folder has that name already, there is no such file, it
 * is a symbolic link and has no text, git's programs would refuse it, or it is too much at once.
 */
export type ChangeFault = 'file' | 'folder' | 'missing' | 'link' | 'malformed' | 'too many';

export type CommitWritten = { readonly id: string } | { readonly fault: ChangeFault };

export interface CommitPick {
  /** The commit to repeat: what it changed against its first parent. */
  readonly commit: string;
  readonly onto: string;
  /** The author stays. */
  readonly committer: Writer;
}

/** Commits that are made without a work tree. No reference names them yet; they are safe on disk. */
export interface GitCommitWriting {
  /** Only the trees on the way to changed files are written anew; all else stays byte for byte. */
  writeCommit(repository: RepositoryAddress, commit: NewCommit): Promise<CommitWritten>;
  /** The new commit's id; null when there is a conflict, or nothing left to change. */
  pickCommit(
    repository: RepositoryAddress,
    pick: CommitPick,
    signal?: AbortSignal | null,
  ): Promise<string | null>;
}
