import type { RepositoryAddress } from './address.ts';

/** Which files of a commit are searched for. */
export interface PathSearch {
  /** A full commit id. */
  readonly commit: string;
  /** Texts that a path must contain, in any case. */
  readonly words: readonly string[];
  readonly limit: number;
}

export interface GitFilePaths {
  /**
   * The paths of files with these words, those with the words in their names first. In a huge
   * repository only the first files are searched.
   */
  findPaths(
    repository: RepositoryAddress,
    search: PathSearch,
    signal?: AbortSignal | null,
  ): Promise<readonly string[]>;
}
