import type { RefChange, RepositoryAddress } from './address.ts';

/** The author of a write, made now. */
export interface Writer {
  readonly name: string;
  readonly email: string;
}

export interface NewTag {
  readonly name: string;
  /** The tagged commit. */
  readonly target: string;
  readonly message: string;
  readonly tagger: Writer;
}

/**
 * The result of a reference update: all moved, or none. `stale`: a reference no longer has the
 * expected value; `impossible`: git cannot create the name beside existing ones.
 */
export type RefOutcome = 'moved' | 'stale' | 'impossible';

/** Writes to a repository. Objects are safe on disk before a reference names them. */
export interface GitWriting {
  /** Moves references in one transaction, each from its expected value; see RefChange. */
  updateRefs(repository: RepositoryAddress, changes: readonly RefChange[]): Promise<RefOutcome>;
  /** Writes a tag object and returns its id; no reference names it yet. */
  writeTag(repository: RepositoryAddress, tag: NewTag): Promise<string>;
}
