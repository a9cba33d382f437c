import type { GitFilePaths } from '../../../schema/ports/git/file-paths.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSha } from '../names.ts';
import { readOutput } from '../process/output.ts';
import { GitFailure } from '../process/run.ts';
import { sharedWork } from '../process/shared-work.ts';

/** Of git's list of files: some 500,000. */
const maxBytes = 32 * 1024 * 1024;
/** Matches among which the best are searched. */
const maxMatches = 5_000;
const maxConcurrent = 4;
const timeLimitMs = 5_000;

/** Finds files by their paths. */
export function filePathReader(storages: Storages): GitFilePaths {
  const turn = turnsOf('file-paths', maxConcurrent);
  const searching = sharedWork<readonly string[]>();

  return {
    findPaths: async (repository, { commit, words, limit }, signal) => {
      if (!isSha(commit)) throw new GitFailure('ls-tree', 'malformed id');
      const folder = repositoryFolder(storages, repository);
      const args = [
        `--git-dir=${folder}`,
        'ls-tree',
        '-r',
        '-z',
        '--name-only',
        '--full-tree',
        commit,
      ];
      const key = `${folder}:${commit}:${limit}:${words.join(' ')}`;
      return searching(key, signal, async (shared) => {
        const matches = pathMatches(words, words.length === 0 ? limit : maxMatches);
        await turn(() => readOutput(args, { signal: shared, timeLimitMs, onChunk: matches.read }), {
          project: folder,
        });
        return matches.best(limit);
      });
    },
  };
}

/** Collects the matching paths among names that end with a NUL, read in pieces. */
function pathMatches(words: readonly string[], most: number) {
  const lowerCased = words.map((word) => word.toLowerCase());
  const hasAll = (text: string) => lowerCased.every((word) => text.includes(word));
  const inName: string[] = [];
  const inPath: string[] = [];
  let rest: Buffer = Buffer.alloc(0);
  let bytes = 0;

  const add = (path: string) => {
    const lower = path.toLowerCase();
    if (!hasAll(lower)) return;
    (hasAll(lower.slice(lower.lastIndexOf('/') + 1)) ? inName : inPath).push(path);
  };

  return {
    read: (chunk: Buffer): boolean => {
      bytes += chunk.length;
      const joined = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const end = joined.lastIndexOf(0) + 1;
      rest = joined.subarray(end);
      for (const path of joined.toString('utf8', 0, end).split('\0')) if (path !== '') add(path);
      return bytes <= maxBytes && inName.length + inPath.length < most;
    },
    best: (limit: number): readonly string[] => {
      const byLength = (a: string, b: string) => a.length - b.length;
      const isSorted = lowerCased.length > 0;
      const found = isSorted
        ? [...inName.sort(byLength), ...inPath.sort(byLength)]
        : [...inName, ...inPath];
      return found.slice(0, limit);
    },
  };
}
