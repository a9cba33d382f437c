import type { RepositoryAddress } from './address.ts';

export interface CopyOptions {
  /**
   * Called when all objects are copied and before the first reference is created: false leaves the
   * target unchanged. A stale answer destroys nothing, because references move only from the values
   * they had before the call.
   */
  readonly isWanted: () => Promise<boolean>;
  /** Aborts the work, which may be restarted. */
  readonly signal?: AbortSignal | undefined;
}

/** Copies repositories. */
export interface GitCopying {
  /**
   * Copies the branches and tags of `source` and all their objects to `target`, and checks that
   * they are complete. The two share only immutable files, so each outlives the other. A repeated
   * call finishes an interrupted one. `unwanted`: `isWanted` returned false.
   */
  copyRepository(
    source: RepositoryAddress,
    target: RepositoryAddress,
    options: CopyOptions,
  ): Promise<'copied' | 'unwanted'>;
}
