import type { RepositoryAddress } from './address.ts';

/** The change of one file between two commits. */
export interface FileDiff {
  /** The same as `newPath` unless the file was renamed. */
  readonly oldPath: string;
  readonly newPath: string;
  /** Six digits; `0` for a new file. */
  readonly aMode: string;
  /** Six digits; `0` for a deleted file. */
  readonly bMode: string;
  readonly isNew: boolean;
  readonly isRenamed: boolean;
  readonly isDeleted: boolean;
  /** How much of the content a rename kept, in percent; null unless the file was renamed. */
  readonly similarity: number | null;
  /** The ids of the contents; null where the file does not exist. */
  readonly oldBlob: string | null;
  readonly newBlob: string | null;
  /**
   * Git's output from the line `--- a/…` on, or its one line for binary files; '' if only the name
   * or mode changed, and if the text is too long to show.
   */
  readonly diff: string;
}

export interface Diffs {
  /** In byte order of their names; a type change is a deleted and a new file. */
  readonly files: readonly FileDiff[];
  /** A limit of time, files or text was reached: some files or texts are omitted. */
  readonly isTimedOut: boolean;
}

/** Diffs between two states of a repository. */
export interface GitDiffs {
  /**
   * The changes from one commit to another, with renames detected; `from: null` is the empty tree,
   * so a commit's own diff is `{ from: parentIds[0] ?? null, to: id }`. Rejects if `signal` is
   * aborted or the repository is damaged.
   */
  diff(
    repository: RepositoryAddress,
    commits: { readonly from: string | null; readonly to: string },
    signal?: AbortSignal | null,
  ): Promise<Diffs>;
}
