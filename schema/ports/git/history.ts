import type { RepositoryAddress } from './address.ts';

/** Who wrote something, and when by their own clock. */
export interface Signature {
  readonly name: string;
  readonly email: string;
  /** ISO 8601 with milliseconds and the author's own offset; UTC ends with `Z` (v4-behaviour 1.2). */
  readonly at: string;
}

/** A commit as git stores it, its texts decoded; those beyond all measure are cut. */
export interface CommitRecord {
  readonly id: string;
  readonly treeId: string;
  /** The first hundred. */
  readonly parentIds: readonly string[];
  /** One longer than 64 KiB is cut, with an ellipsis. */
  readonly message: string;
  readonly author: Signature;
  readonly committer: Signature;
}

/** An annotated tag as git stores it. */
export interface AnnotatedTag {
  readonly id: string;
  /** Without the line breaks at its end; cut as a commit's. */
  readonly message: string;
  readonly tagger: Signature | null;
}

/** A branch or tag: its name below the prefix, and the object it names. */
export interface Ref {
  readonly name: string;
  /** For an annotated tag the tag object's id. */
  readonly id: string;
}

/** All references below a prefix, in the byte order of their names. */
export interface RefList {
  readonly total: number;
  /** Some of them, from either end. */
  slice(offset: number, limit: number, direction: 'asc' | 'desc'): Ref[];
}

export type RefPrefix = 'refs/heads/' | 'refs/tags/';

/** What a repository tells of its history. */
export interface GitHistory {
  /** The references below `prefix`; a list that nobody has changed is not read again. */
  refs(repository: RepositoryAddress, prefix: RefPrefix): Promise<RefList>;
  /** The commit behind an object: itself, or what a tag leads to; null when there is none. */
  commitBehind(repository: RepositoryAddress, id: string): Promise<CommitRecord | null>;
  /** Those of `ids`, which are whole, that are commits of it; all are looked up together. */
  commitsThere(repository: RepositoryAddress, ids: readonly string[]): Promise<readonly string[]>;
  /**
   * Commits by their whole ids, in that order; one that is missing throws. Where their messages have
   * more than 16 Mi characters together, those that come after are cut to 1024.
   */
  commits(repository: RepositoryAddress, ids: readonly string[]): Promise<readonly CommitRecord[]>;
  /** The annotation, or null when `id` is no tag object. */
  annotation(repository: RepositoryAddress, id: string): Promise<AnnotatedTag | null>;
}
