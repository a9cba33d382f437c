import type { RepositoryAddress } from './address.ts';

export interface GitLanguages {
  /**
   * The bytes of the files of a commit (a full id) by their language, which follows from the names of the
   * files. Data, prose, documentation and files of other authors are not counted; of a huge repository
   * only the first files are.
   */
  languages(
    repository: RepositoryAddress,
    commit: string,
    signal?: AbortSignal | null,
  ): Promise<ReadonlyMap<string, number>>;
}
