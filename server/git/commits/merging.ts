import { LRUCache } from 'lru-cache';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { GitMerging, MergeSides, NewMerge } from '../../../schema/ports/git/merging.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { emptyTreeId } from '../history/diff.ts';
import { findMergeBase } from '../history/merge-base.ts';
import { isSha } from '../names.ts';
import { newCommit } from '../objects/commit-bytes.ts';
import { writeObjectFiles, writeObjects } from '../objects/loose-objects.ts';
import type { ObjectDatabase } from '../objects/object-database.ts';
import { signatureOf } from '../objects/signature.ts';
import { type gitEnvironment, gitEnvironmentWith } from '../process/environment.ts';
import { listCommits } from '../process/output.ts';
import { sharedWork } from '../process/shared-work.ts';
import { conflictReader } from './conflicts.ts';
import { formerHeadKeeper } from './former-heads.ts';
import { mergesLargeFiles } from './large-merges.ts';
import { mergeCache } from './merge-cache.ts';
import { mergeHeadKeeper } from './merge-heads.ts';
import { mergeTrees } from './merge-tree.ts';
import { withTemporaryObjects } from './temporary-objects.ts';

/** Sync the objects that git writes before a reference points to them. */
const synced = gitEnvironmentWith({ 'core.fsync': 'committed,loose-object' });

/** Separate limits, so that merges do not wait for mergeability checks. */
const maxConcurrentMerges = 2;
const maxConcurrentChecks = 2;
/** Of merge bases and the commits to merge. */
const maxConcurrentWalks = 8;
const maxCachedResults = 10_000;
const timeLimitMs = 60_000;

type Signal = AbortSignal | null | undefined;

/** Merges by `git merge-tree`. */
export function merger(storages: Storages, objects: ObjectDatabase): GitMerging {
  // keyed by commit ids, so entries never become stale
  const results = new LRUCache<string, boolean>({ max: maxCachedResults });
  const bases = new LRUCache<string, { readonly base: string | null }>({ max: maxCachedResults });
  const mergeTurn = turnsOf('merges', maxConcurrentMerges);
  const checkTurn = turnsOf('merge-checks', maxConcurrentChecks);
  const walkTurn = turnsOf('merge-bases', maxConcurrentWalks);
  const runningChecks = sharedWork<boolean>();
  const cache = mergeCache();

  const folderOf = (repository: RepositoryAddress, { target, head }: MergeSides) => {
    if (!isSha(target) || !isSha(head)) throw new Error('Malformed commit id');
    return repositoryFolder(storages, repository);
  };
  const keyOf = (folder: string, { target, head }: MergeSides) => `${folder}:${target}:${head}`;

  const mergeBase = async (repository: RepositoryAddress, sides: MergeSides, signal?: Signal) => {
    const folder = folderOf(repository, sides);
    const key = keyOf(folder, sides);
    const cached = bases.get(key);
    if (cached) return cached.base;
    const walk = async () => {
      const late = AbortSignal.timeout(timeLimitMs);
      const until = signal ? AbortSignal.any([late, signal]) : late;
      return findMergeBase(folder, [sides.target, sides.head], { signal: until });
    };
    const base = await walkTurn(walk, { project: folder, signal });
    bases.set(key, { base });
    return base;
  };

  /** The merged tree; null on a conflict, and when merging would hold files above the limit in memory. */
  const merge = async (
    repository: RepositoryAddress,
    sides: MergeSides,
    environment: typeof gitEnvironment,
    signal: Signal,
  ): Promise<string | null> => {
    const folder = folderOf(repository, sides);
    const { target, head } = sides;
    const ended = new AbortController();
    const until = signal ? AbortSignal.any([ended.signal, signal]) : ended.signal;
    const tree = mergeTrees(folder, target, head, {
      environment,
      signal: until,
      allowsUnrelated: true,
    });
    // merge and check the sizes in parallel: files are nearly always small enough
    tree.catch(() => {});
    try {
      if (results.get(keyOf(folder, sides))) return await tree;
      const before = (await mergeBase(repository, sides, until)) ?? emptyTreeId;
      const info = (name: string) => objects.info(repository, name);
      const isLarge = await mergesLargeFiles(folder, { before, after: head, onto: target }, info);
      if (isLarge) return null;
      return await tree;
    } finally {
      ended.abort();
      await tree.catch(() => {});
    }
  };

  const canMerge = async (repository: RepositoryAddress, sides: MergeSides, signal?: Signal) => {
    const folder = folderOf(repository, sides);
    const key = keyOf(folder, sides);
    const cached = results.get(key);
    if (cached !== undefined) return cached;
    const isMergeable = await runningChecks(key, signal, (shared) =>
      checkTurn(
        () =>
          withTemporaryObjects(folder, async (environment, written) => {
            const tree = await merge(repository, sides, environment, shared);
            if (tree !== null) await cache.keep(key, tree, written);
            return tree !== null;
          }),
        { project: folder },
      ),
    );
    results.set(key, isMergeable);
    return isMergeable;
  };

  const writeMerge = async (
    repository: RepositoryAddress,
    { target, head, message, writer }: NewMerge,
    signal?: Signal,
  ): Promise<string | null> => {
    const folder = folderOf(repository, { target, head });
    const key = keyOf(folder, { target, head });
    if (results.get(key) === false) return null;
    const cached = cache.find(key);
    if (cached) await writeObjectFiles(folder, cached.files);
    const tree =
      cached?.tree ??
      (await mergeTurn(() => merge(repository, { target, head }, synced, signal), {
        project: folder,
        signal,
      }));
    if (tree === null) return null;
    const now = signatureOf(writer);
    const parents = [target, head];
    const commit = newCommit({ tree, parents, author: now, committer: now, message });
    await writeObjects(folder, [commit]);
    return commit.id;
  };

  const commitsToMerge: GitMerging['commitsToMerge'] = async (
    repository,
    { head, without },
    limit,
    signal,
  ) => {
    if (![head, ...without].every(isSha)) throw new Error('Malformed commit id');
    const folder = repositoryFolder(storages, repository);
    const revisions = [head, ...without.map((id) => `^${id}`)];
    return walkTurn(() => listCommits(revisions, { folder, limit, signal, timeLimitMs }), {
      project: folder,
      signal,
    });
  };

  return {
    ...mergeHeadKeeper(storages, objects),
    conflicts: conflictReader(storages, objects, mergeBase),
    ...formerHeadKeeper(storages, objects),
    mergeBase,
    canMerge,
    writeMerge,
    commitsToMerge,
  };
}
