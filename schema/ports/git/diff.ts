import type { RepositoryAddress } from './address.ts';

/** What became of one file between two commits. */
export interface FileDiff {
  /** The same as `newPath` unless the file was renamed. */
  readonly oldPath: string;
  readonly newPath: string;
  /** Six digits; `0` where there was no such file before. */
  readonly aMode: string;
  /** Six digits; `0` where there is none any more. */
  readonly bMode: string;
  readonly isNew: boolean;
  readonly isRenamed: boolean;
  readonly isDeleted: boolean;
  /**
   * As git prints it, from the line `--- a/…` on, or its one line on binary files; '' where only
   * the name or mode changed, and where the text is too long to be shown.
   */
  readonly diff: string;
}

export interface Diffs {
  /** In the byte order of their names; what changes its kind is deleted and new. */
  readonly files: readonly FileDiff[];
  /** A limit of time, of files or of text was reached: some files or texts are left out. */
  readonly isTimedOut: boolean;
}

/** How two states of a repository differ. */
export interface GitDiffs {
  /**
   * What changed from one commit to another, renames found; `from: null` is the empty tree, so a
   * commit's own diff is `{ from: parentIds[0] ?? null, to: id }`. `signal` ends the work behind it;
   * it then rejects, as it does for a damaged repository.
   */
  diff(
    repository: RepositoryAddress,
    commits: { readonly from: string | null; readonly to: string },
    signal?: AbortSignal | null,
  ): Promise<Diffs>;
}
