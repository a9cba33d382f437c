import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { GitMerging, MergeSides, NewMerge } from '../../../schema/ports/git/merging.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { emptyTreeId } from '../history/diff.ts';
import { isSha } from '../names.ts';
import { formatCommit } from '../objects/commit-bytes.ts';
import { newObject, writeObjectFiles, writeObjects } from '../objects/loose-objects.ts';
import type { ObjectDatabase } from '../objects/object-database.ts';
import { signatureOf } from '../objects/signature.ts';
import { gitEnvironment, gitEnvironmentWith } from '../process/environment.ts';
import { readOutput } from '../process/output.ts';
import { GitFailure, tryGit } from '../process/run.ts';
import { sharedWork } from '../process/shared-work.ts';
import { mergesLargeFiles } from './large-merges.ts';
import { mergeCache } from './merge-cache.ts';
import { mergeHeadKeeper } from './merge-heads.ts';
import { mergeTrees } from './merge-tree.ts';

/** What git merges is on the disk before a reference leads to it. */
const synced = gitEnvironmentWith({ 'core.fsync': 'committed,loose-object' });

/** What people wait for does not wait for what is only looked at. */
const maxConcurrentMerges = 2;
const maxConcurrentChecks = 2;
const maxCachedResults = 10_000;
const timeLimitMs = 60_000;
const noMergeBase = 1;

type Signal = AbortSignal | null | undefined;

/** Merges by `git merge-tree`. */
export function merger(storages: Storages, objects: ObjectDatabase): GitMerging {
  // named by contents, so nothing in it can become wrong
  const verdicts = new LRUCache<string, boolean>({ max: maxCachedResults });
  const bases = new LRUCache<string, { readonly base: string | null }>({ max: maxCachedResults });
  const mergeTurn = pLimit(maxConcurrentMerges);
  const questionTurn = pLimit(maxConcurrentChecks);
  const asked = sharedWork<boolean>();
  const tried = mergeCache();

  const folderOf = (repository: RepositoryAddress, { target, head }: MergeSides) => {
    if (!isSha(target) || !isSha(head)) throw new Error('Malformed commit id');
    return repositoryFolder(storages, repository);
  };
  const keyOf = (folder: string, { target, head }: MergeSides) => `${folder}:${target}:${head}`;

  const mergeBase = async (repository: RepositoryAddress, sides: MergeSides, signal?: Signal) => {
    const folder = folderOf(repository, sides);
    const key = keyOf(folder, sides);
    const known = bases.get(key);
    if (known) return known.base;
    const late = AbortSignal.timeout(timeLimitMs);
    const args = [`--git-dir=${folder}`, 'merge-base', sides.target, sides.head];
    const until = signal ? AbortSignal.any([late, signal]) : late;
    const { code, stdout, complaint } = await tryGit(args, { signal: until });
    until.throwIfAborted();
    const found = stdout.toString().trimEnd();
    const base = code === 0 && isSha(found) ? found : null;
    if (base === null && code !== noMergeBase) throw new GitFailure('merge-base', complaint);
    bases.set(key, { base });
    return base;
  };

  /** The merged tree; null when git does not merge them, or had to hold files in memory that are too large. */
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
      allowsStrangers: true,
    });
    // whether it may go on is found while it goes on: nearly always it may
    tree.catch(() => {});
    try {
      if (verdicts.get(keyOf(folder, sides))) return await tree;
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
    const known = verdicts.get(key);
    if (known !== undefined) return known;
    const verdict = await asked(key, signal, (shared) =>
      questionTurn(() =>
        inPassing(folder, async (environment, passing) => {
          const tree = await merge(repository, sides, environment, shared);
          if (tree !== null) await tried.keep(key, tree, passing);
          return tree !== null;
        }),
      ),
    );
    verdicts.set(key, verdict);
    return verdict;
  };

  const writeMerge = async (
    repository: RepositoryAddress,
    { target, head, message, writer }: NewMerge,
    signal?: Signal,
  ): Promise<string | null> => {
    const folder = folderOf(repository, { target, head });
    const key = keyOf(folder, { target, head });
    if (verdicts.get(key) === false) return null;
    const known = tried.find(key);
    if (known) await writeObjectFiles(folder, known.files);
    const tree =
      known?.tree ?? (await mergeTurn(() => merge(repository, { target, head }, synced, signal)));
    if (tree === null) return null;
    const now = signatureOf(writer);
    const content = formatCommit({
      tree,
      parents: [target, head],
      author: now,
      committer: now,
      encoding: null,
      message: Buffer.from(message),
    });
    const made = newObject('commit', content);
    await writeObjects(folder, [made]);
    return made.id;
  };

  const commitsToMerge: GitMerging['commitsToMerge'] = async (
    repository,
    { head, without },
    limit,
    signal,
  ) => {
    if (![head, ...without].every(isSha)) throw new Error('Malformed commit id');
    const folder = repositoryFolder(storages, repository);
    const ids: string[] = [];
    let rest = '';
    const args = [`--git-dir=${folder}`, 'rev-list', `--max-count=${limit + 1}`, head];
    const end = await readOutput([...args, ...without.map((id) => `^${id}`), '--'], {
      signal,
      timeLimitMs,
      onChunk: (chunk) => {
        const lines = (rest + chunk.toString('latin1')).split('\n');
        rest = lines.pop() ?? '';
        ids.push(...lines);
        return true;
      },
    });
    return { ids: ids.slice(0, limit), isCut: end !== 'whole' || ids.length > limit };
  };

  return {
    ...mergeHeadKeeper(storages, objects),
    mergeBase,
    canMerge,
    writeMerge,
    commitsToMerge,
  };
}

/**
 * Lets git write its objects to a folder that goes with the answer: a question leaves nothing behind.
 * After a kill git's own housekeeping removes a folder of that name.
 */
async function inPassing<T>(
  folder: string,
  ask: (environment: typeof gitEnvironment, passing: string) => Promise<T>,
): Promise<T> {
  const objects = join(folder, 'objects');
  const passing = await mkdtemp(join(objects, 'tmp_objdir-merge-'));
  try {
    const places = { GIT_OBJECT_DIRECTORY: passing, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
    return await ask({ ...gitEnvironment, ...places }, passing);
  } finally {
    await rm(passing, { recursive: true, force: true });
  }
}
