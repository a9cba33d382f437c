import type { RepositoryAddress } from './address.ts';

/** Lines of a file around matches, which are near each other. */
export interface ContentMatch {
  /** From the root of the repository. */
  readonly path: string;
  /** The number of the first line, from 1. */
  readonly firstLine: number;
  /** The lines, each with its line break. */
  readonly text: string;
}

export interface ContentQuery {
  /** A full commit id. */
  readonly commit: string;
  /** Compared literally, in any case of ASCII letters. */
  readonly text: string;
}

export interface GitContentSearch {
  /**
   * The first matches in the text files of a commit, by path; their number and length are limited. Throws
   * if the search takes too long.
   */
  searchContents(
    repository: RepositoryAddress,
    query: ContentQuery,
    signal?: AbortSignal | null,
  ): Promise<readonly ContentMatch[]>;
}
