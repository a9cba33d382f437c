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

/** All references of a repository: full name → object id. */
export type References = ReadonlyMap<string, string>;

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
  /**
   * Gives `target`, which is not used yet, all references of `source` with their objects, and its
   * HEAD. A repeated call brings what has changed. Returns the references that both have then, if
   * no process writes to the source.
   */
  mirrorRepository(source: RepositoryAddress, target: RepositoryAddress): Promise<References>;
  /**
   * Brings references to `target` that `source` has got since it had `then`; returns how many.
   * Throws if one of them has changed in the target, too.
   */
  bringLateReferences(
    source: RepositoryAddress,
    target: RepositoryAddress,
    then: References,
  ): Promise<number>;
}
