import type { Readable } from 'node:stream';
import type { RepositoryAddress } from './address.ts';
import type { GitArchives } from './archive.ts';
import type { GitBranches } from './branches.ts';
import type { GitCommitWriting } from './commit-writing.ts';
import type { GitComparisons } from './comparison.ts';
import type { GitContributors } from './contributors.ts';
import type { GitCopying } from './copying.ts';
import type { GitDiffs } from './diff.ts';
import type { GitFileHistory } from './file-history.ts';
import type { GitHistory } from './history.ts';
import type { GitImporting } from './importing.ts';
import type { GitLog } from './log.ts';
import type { GitMaintenance } from './maintenance.ts';
import type { GitMerging } from './merging.ts';
import type { GitWikis } from './wikis.ts';
import type { GitWriting } from './writing.ts';

/** One entry of a tree as git stores it; `mode` has six digits. */
export interface TreeEntry {
  readonly id: string;
  readonly name: string;
  readonly type: 'tree' | 'blob' | 'commit';
  /** From the root of the repository, without a leading slash. */
  readonly path: string;
  readonly mode: string;
}

export interface TreePage {
  readonly entries: readonly TreeEntry[];
  readonly total: number;
}

export interface TreeQuery {
  /** The commit (or tree) to look into: 40 hex digits. */
  readonly sha: string;
  /** A folder from the root, '' for the root itself. */
  readonly path: string;
  readonly isRecursive: boolean;
  readonly offset: number;
  readonly limit: number;
}

/**
 * What the core needs from git storage; implemented by server/git, on real repositories only.
 * Every name and path is checked again before it reaches a program's argument list.
 */
export interface GitStore
  extends GitArchives,
    GitBranches,
    GitCommitWriting,
    GitComparisons,
    GitContributors,
    GitCopying,
    GitDiffs,
    GitFileHistory,
    GitHistory,
    GitImporting,
    GitLog,
    GitMaintenance,
    GitMerging,
    GitWikis,
    GitWriting {
  /** A fresh address on `storage`; nothing is written yet. */
  place(storage: string): RepositoryAddress;
  /**
   * Makes an empty bare repository and runs `commit`, which makes its record. Both come to be or
   * neither does: a throw removes the repository, a kill between leaves a mark that the next start
   * settles by asking whether the record exists.
   */
  create<T>(repository: RepositoryAddress, commit: () => Promise<T>): Promise<T>;
  /** Removes a project's repository and its wiki; nothing there is no error. */
  remove(repository: RepositoryAddress): Promise<void>;
  /** The commit a branch, tag, full ref or SHA stands for, or null. */
  resolveCommit(repository: RepositoryAddress, ref: string): Promise<string | null>;
  /**
   * A page of a tree: trees, then blobs, then submodules, each by name. Null when there is no such
   * commit; an unknown path is an empty page.
   */
  tree(repository: RepositoryAddress, query: TreeQuery): Promise<TreePage | null>;
  /** The entry at a path of a commit, or null when there is none. */
  entryAt(repository: RepositoryAddress, sha: string, path: string): Promise<TreeEntry | null>;
  /** Bytes of a blob, or null when the object is absent or no blob. */
  blobSize(repository: RepositoryAddress, sha: string): Promise<number | null>;
  /** A blob's whole content; refuses to buffer more than `limit` bytes by returning null. */
  readBlob(repository: RepositoryAddress, sha: string, limit: number): Promise<Buffer | null>;
  /** A blob's content as a stream of constant memory; destroying it ends the work behind it. */
  openBlob(repository: RepositoryAddress, sha: string): Promise<Readable>;
  /** Full names of branches, in byte order. */
  branches(repository: RepositoryAddress): Promise<readonly string[]>;
  /** What HEAD names: `refs/heads/…`, whether or not that branch exists. */
  head(repository: RepositoryAddress): Promise<string>;
  setHead(repository: RepositoryAddress, ref: string): Promise<void>;
  /** Commits reachable from HEAD, 0 in an empty repository. */
  countCommits(repository: RepositoryAddress): Promise<number>;
  /** Bytes the repository takes on disk. */
  size(repository: RepositoryAddress): Promise<number>;
  /** Full ref name → object id it has now, for the refs asked for; absent refs are left out. */
  readRefs(
    repository: RepositoryAddress,
    refs: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
}
