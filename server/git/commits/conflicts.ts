import { LRUCache } from 'lru-cache';
import type { Conflicts, GitMerging } from '../../../schema/ports/git/merging.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { emptyTreeId } from '../history/diff.ts';
import { isSha } from '../names.ts';
import type { ObjectDatabase } from '../objects/object-database.ts';
import { readBytes } from '../process/output.ts';
import { mergesLargeFiles } from './large-merges.ts';
import { withTemporaryObjects } from './temporary-objects.ts';

const mostPaths = 100;
/** Bytes; the output has the id of a tree, then the paths. */
const mostOutput = 64 * 1024;
const timeLimitMs = 10_000;
const conflictExitCode = 1;
const maxConcurrent = 2;
const maxCached = 1_000;

/** Lists the files that conflict when git merges two commits. */
export function conflictReader(
  storages: Storages,
  objects: ObjectDatabase,
  mergeBase: GitMerging['mergeBase'],
): GitMerging['conflicts'] {
  // keyed by commit ids, so entries never become stale
  const cache = new LRUCache<string, Conflicts>({ max: maxCached });
  const turn = turnsOf('conflicts', maxConcurrent);

  return async (repository, sides, signal) => {
    const { target, head } = sides;
    if (!isSha(target) || !isSha(head)) throw new Error('Malformed commit id');
    const folder = repositoryFolder(storages, repository);
    const key = `${folder}:${target}:${head}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const before = (await mergeBase(repository, sides, signal)) ?? emptyTreeId;
    const info = (name: string) => objects.info(repository, name);
    const isLarge = await mergesLargeFiles(folder, { before, after: head, onto: target }, info);
    if (isLarge) return unknown;
    const options = ['--write-tree', '--name-only', '-z', '--no-messages'];
    const args = [`--git-dir=${folder}`, 'merge-tree', ...options];
    const { end, bytes } = await turn(
      () =>
        withTemporaryObjects(folder, (environment) =>
          readBytes([...args, '--allow-unrelated-histories', target, head], {
            environment,
            signal,
            timeLimitMs,
            limit: mostOutput,
            alsoSucceedsWith: conflictExitCode,
          }),
        ),
      { project: folder, signal },
    );
    if (end === 'late') return unknown;
    // the last name is empty or cut
    const paths = bytes.toString().split('\0').slice(1, -1);
    const isCut = end === 'cut' || paths.length > mostPaths;
    const conflicts = { paths: paths.slice(0, mostPaths), isCut };
    cache.set(key, conflicts);
    return conflicts;
  };
}

const unknown: Conflicts = { paths: [], isCut: true };
