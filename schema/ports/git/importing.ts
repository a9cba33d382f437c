import type { RepositoryAddress } from './address.ts';

/** The result of an import. */
export type ImportResult =
  | {
      readonly outcome: 'imported';
      /** The branch that the source's HEAD names, or null. */
      readonly head: string | null;
    }
  | {
      readonly outcome: 'failed';
      /** Human-readable; without the source's credentials. */
      readonly text: string;
      /** A retry may succeed: the source was not reachable, or the connection broke. */
      readonly isPassing: boolean;
    };

/** Imports a repository from a URL. */
export interface GitImporting {
  /**
   * Fetches all branches and tags of the repository at `url`, which may contain credentials, or
   * none of them, into an empty repository; a repeated call adds what is missing. Allows http,
   * https and git only, follows no redirects, and rejects private addresses unless the operator
   * allows them.
   */
  importFrom(
    repository: RepositoryAddress,
    url: string,
    signal: AbortSignal,
  ): Promise<ImportResult>;
  /**
   * As `importFrom`, with the heads of merge requests; each reference gets the source's value, so
   * that a repeated call follows the source. Only for repositories that no user may push to
   * meanwhile.
   */
  mirrorFrom(
    repository: RepositoryAddress,
    url: string,
    signal: AbortSignal,
  ): Promise<ImportResult>;
}
