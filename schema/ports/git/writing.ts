import type { RefChange, RepositoryAddress } from './address.ts';

/** In whose name something is written, now. */
export interface Writer {
  readonly name: string;
  readonly email: string;
}

export interface NewTag {
  readonly name: string;
  /** The commit it names. */
  readonly target: string;
  readonly message: string;
  readonly tagger: Writer;
}

/**
 * How a change of references ended: all of them moved, or none. `stale`: one has not the expected
 * old value any more; `impossible`: git cannot have such a name beside those that are there.
 */
export type RefOutcome = 'moved' | 'stale' | 'impossible';

/** What is written to a repository. Objects are safe on disk before a reference names them. */
export interface GitWriting {
  /** Moves references in one transaction, each from the value that is expected; see RefChange. */
  updateRefs(repository: RepositoryAddress, changes: readonly RefChange[]): Promise<RefOutcome>;
  /** Writes a tag object and gives its id; no reference names it yet. */
  writeTag(repository: RepositoryAddress, tag: NewTag): Promise<string>;
}
