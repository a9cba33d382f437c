import type { Readable } from 'node:stream';
import type { RepositoryAddress } from './address.ts';
import type { GitArchives } from './archive.ts';
import type { GitBlame } from './blame.ts';
import type { GitBranches } from './branches.ts';
import type { GitCommitWriting } from './commit-writing.ts';
import type { GitComparisons } from './comparison.ts';
import type { GitContentSearch } from './content-search.ts';
import type { GitContributors } from './contributors.ts';
import type { GitCopying } from './copying.ts';
import type { GitDiffs } from './diff.ts';
import type { GitFileHistory } from './file-history.ts';
import type { GitFilePaths } from './file-paths.ts';
import type { GitHistory } from './history.ts';
import type { GitImporting } from './importing.ts';
import type { GitLanguages } from './languages.ts';
import type { GitLfsPointers } from './lfs-pointers.ts';
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
  /** The commit (or tree) to list: 40 hex digits. */
  readonly sha: string;
  /** A folder from the root; '' for the root itself. */
  readonly path: string;
  readonly isRecursive: boolean;
  readonly offset: number;
  readonly limit: number;
}

/**
 * The core's interface to git storage; implemented by server/git, on real repositories only. Every
 * name and path is checked again before it reaches a program's argument list.
 */
export interface GitStore
  extends GitArchives,
    GitBlame,
    GitBranches,
    GitCommitWriting,
    GitComparisons,
    GitContentSearch,
    GitContributors,
    GitCopying,
    GitDiffs,
    GitFileHistory,
    GitFilePaths,
    GitHistory,
    GitImporting,
    GitLanguages,
    GitLfsPointers,
    GitLog,
    GitMaintenance,
    GitMerging,
    GitWikis,
    GitWriting {
  /** A new address on `storage`; nothing is written yet. */
  place(storage: string): RepositoryAddress;
  /**
   * Creates an empty bare repository and runs `commit`, which creates its record. Both happen or
   * neither does: a throw removes the repository. A crash in between leaves a mark that the next
   * start settles by checking whether the record exists.
   */
  create<T>(repository: RepositoryAddress, commit: () => Promise<T>): Promise<T>;
  /** Removes a project's repository and its wiki, or a wiki alone; missing ones are no error. */
  remove(repository: RepositoryAddress): Promise<void>;
  /** The commit of a branch, tag, full ref or SHA, or null. */
  resolveCommit(repository: RepositoryAddress, ref: string): Promise<string | null>;
  /**
   * A page of a tree: trees, then blobs, then submodules, each by name. Null if the commit does not
   * exist; an unknown path gives an empty page.
   */
  tree(repository: RepositoryAddress, query: TreeQuery): Promise<TreePage | null>;
  /** The entry at a path of a commit, or null. */
  entryAt(repository: RepositoryAddress, sha: string, path: string): Promise<TreeEntry | null>;
  /** The size of a blob in bytes, or null if the object is missing or no blob. */
  blobSize(repository: RepositoryAddress, sha: string): Promise<number | null>;
  /** The sizes of blobs; missing ones are left out. A page of them costs no process. */
  blobSizes(
    repository: RepositoryAddress,
    shas: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
  /** A blob's content; null if it has more than `limit` bytes. Throws if it is missing. */
  readBlob(repository: RepositoryAddress, sha: string, limit: number): Promise<Buffer | null>;
  /** A blob's content as a stream with constant memory; destroying it ends git's process. */
  openBlob(repository: RepositoryAddress, sha: string): Promise<Readable>;
  /** Full names of branches, in byte order. */
  branches(repository: RepositoryAddress): Promise<readonly string[]>;
  /** The target of HEAD: `refs/heads/…`, whether or not that branch exists. */
  head(repository: RepositoryAddress): Promise<string>;
  setHead(repository: RepositoryAddress, ref: string): Promise<void>;
  /** Commits reachable from HEAD, 0 in an empty repository. */
  countCommits(repository: RepositoryAddress): Promise<number>;
  /** The repository's bytes on disk. */
  size(repository: RepositoryAddress): Promise<number>;
  /** Full ref name → current object id; missing refs are left out. */
  readRefs(
    repository: RepositoryAddress,
    refs: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
}
