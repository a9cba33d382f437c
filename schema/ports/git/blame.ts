import type { RepositoryAddress } from './address.ts';

/** Consecutive lines of a file that the same commit wrote. */
export interface BlameRange {
  readonly commitId: string;
  /** Without line breaks. */
  readonly lines: readonly string[];
}

/** Lines of a file in a commit. */
export interface BlamedLines {
  /** A full commit id. */
  readonly commit: string;
  readonly path: string;
  /** The first and the last line, from 1; a last line beyond the end of the file is the last of the file. */
  readonly first: number;
  readonly last: number;
}

export interface GitBlame {
  /**
   * The commits that last changed lines of a file. Null if they are too many lines, or the search takes
   * too long. Throws if the file does not exist or has fewer lines than `first`.
   */
  blame(
    repository: RepositoryAddress,
    lines: BlamedLines,
    signal?: AbortSignal | null,
  ): Promise<readonly BlameRange[] | null>;
}
