import type { RepositoryAddress } from './address.ts';

/** Author or committer, with the time of their own clock. */
export interface Signature {
  readonly name: string;
  readonly email: string;
  /**
   * ISO 8601 with milliseconds and the author's own offset; UTC ends with `Z` (v4-behaviour 1.2).
   */
  readonly at: string;
}

/** A commit as git stores it, with its texts decoded; extremely long texts are cut. */
export interface CommitRecord {
  readonly id: string;
  readonly treeId: string;
  /** At most a hundred. */
  readonly parentIds: readonly string[];
  /** Cut to 64 KiB, with an ellipsis. */
  readonly message: string;
  readonly author: Signature;
  readonly committer: Signature;
}

/** An annotated tag as git stores it. */
export interface AnnotatedTag {
  readonly id: string;
  /** Without trailing line breaks; cut like a commit's. */
  readonly message: string;
  readonly tagger: Signature | null;
}

/** A branch or tag: its name below the prefix, and the object it names. */
export interface Ref {
  readonly name: string;
  /** For an annotated tag the tag object's id. */
  readonly id: string;
}

/** All references below a prefix, in byte order of their names. */
export interface RefList {
  readonly total: number;
  /** A range of them, from either end. */
  slice(offset: number, limit: number, direction: 'asc' | 'desc'): Ref[];
}

export type RefPrefix = 'refs/heads/' | 'refs/tags/';

/** Queries on the history of a repository. */
export interface GitHistory {
  /** The references below `prefix`; cached until a reference changes. */
  refs(repository: RepositoryAddress, prefix: RefPrefix): Promise<RefList>;
  /** The commit behind an object: itself, or the target of a tag; null without one. */
  commitBehind(repository: RepositoryAddress, id: string): Promise<CommitRecord | null>;
  /** Those of `ids` (full ids) that are commits of the repository; looked up together. */
  commitsThere(repository: RepositoryAddress, ids: readonly string[]): Promise<readonly string[]>;
  /**
   * Commits by their full ids, in that order; throws if one is missing. If their messages exceed 16
   * Mi characters together, the remaining ones are cut to 1024.
   */
  commits(repository: RepositoryAddress, ids: readonly string[]): Promise<readonly CommitRecord[]>;
  /** The annotation, or null if `id` is no tag object; throws if it is missing. */
  annotation(repository: RepositoryAddress, id: string): Promise<AnnotatedTag | null>;
}
