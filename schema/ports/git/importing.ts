import type { RepositoryAddress } from './address.ts';

/** How an import ended. */
export type Imported =
  | {
      readonly outcome: 'imported';
      /** The branch that the source's HEAD names, null when it names none. */
      readonly head: string | null;
    }
  | {
      readonly outcome: 'failed';
      /** For people; nothing of the source's credentials is in it. */
      readonly text: string;
      /** Another attempt may succeed: the source could not be reached, or broke off. */
      readonly isPassing: boolean;
    };

/** Brings a repository here from elsewhere. */
export interface GitImporting {
  /**
   * Fetches every branch and tag of the repository at `url`, which may hold credentials, all of them
   * or none, into one that is empty; a second time brings what is missing. Only http, https and git are spoken, redirects
   * are not followed, and private addresses are refused unless the operator allows them.
   */
  importFrom(repository: RepositoryAddress, url: string, signal: AbortSignal): Promise<Imported>;
}
