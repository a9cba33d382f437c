import type { RepositoryAddress } from './address.ts';

export interface CopyOptions {
  /**
   * Asked when all objects are there and before the first reference is: false leaves the target as
   * it is. What was true then and is not any more can take nothing away: references move only from
   * the values they had before the question.
   */
  readonly isWanted: () => Promise<boolean>;
  /** Ends the work, which may be begun again. */
  readonly signal?: AbortSignal | undefined;
}

/** How repositories come from one another. */
export interface GitCopying {
  /**
   * Gives `target` the branches and tags of `source` and all that they lead to, checked to be whole.
   * The two share no more than files that never change: each outlives the other. A second time
   * finishes what a first one had begun. `unwanted`: the question was answered with no.
   */
  copyRepository(
    source: RepositoryAddress,
    target: RepositoryAddress,
    options: CopyOptions,
  ): Promise<'copied' | 'unwanted'>;
}
