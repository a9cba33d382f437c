import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { GitHistory, RefList } from '../../../schema/ports/git/history.ts';
import type { GitLog, LogRange } from '../../../schema/ports/git/log.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSha } from '../names.ts';
import { readText } from '../process/output.ts';
import { GitFailure } from '../process/run.ts';
import { sharedWork } from '../process/shared-work.ts';
import { lineCounter } from './line-counts.ts';
import { canMatch, countIds, idCount, idsIn, readIds, type Walk } from './log-walk.ts';

/** Ids read and cached together. */
const idsPerChunk = 1_000;
const maxCachedBytes = 16 * 1024 * 1024;
const maxCachedTotalBytes = 4 * 1024 * 1024;
const maxConcurrent = 8;
const maxConcurrentSearches = 2;
const timeLimitMs = 60_000;
const branchPrefix = 'refs/heads/';

type Signal = AbortSignal | null | undefined;
type Refs = GitHistory['refs'];

/** A walk and its cache key. */
interface Named extends Walk {
  readonly key: string;
}

/** Reads history. The cache is keyed by the starting ids, so entries never become stale. */
export function logReader(storages: Storages, refs: Refs): GitLog {
  const chunks = new LRUCache<string, Buffer>({
    maxSize: maxCachedBytes,
    sizeCalculation: (ids, key) => ids.length + 2 * key.length + 128,
  });
  const totals = new LRUCache<string, number>({
    maxSize: maxCachedTotalBytes,
    sizeCalculation: (_total, key) => 2 * key.length + 64,
  });
  const reading = sharedWork<Buffer>();
  const counting = sharedWork<number>();
  const turn = turnsOf('log', maxConcurrent);
  const searchTurn = turnsOf('log-search', maxConcurrentSearches);
  const turnOf =
    ({ message, folder }: Walk) =>
    <Result>(work: () => Promise<Result>) =>
      (message === '' ? turn : searchTurn)(work, { project: folder });

  /** A chunk of ids that starts at `first`. */
  const chunkAt = (walk: Named, first: number, signal: Signal): Buffer | Promise<Buffer> => {
    const key = `${first}:${walk.key}`;
    const cached = chunks.get(key);
    if (cached) return cached;
    return reading(key, signal, async (shared) => {
      const ids = await turnOf(walk)(() => readIds(walk, first, idsPerChunk, shared));
      chunks.set(key, ids);
      // a partial chunk is the last one
      if (first === 0 && idCount(ids) < idsPerChunk) totals.set(walk.key, idCount(ids));
      return ids;
    });
  };

  const totalOf = (walk: Named, signal: Signal): number | Promise<number> => {
    const cached = totals.get(walk.key);
    if (cached !== undefined) return cached;
    return counting(walk.key, signal, async (shared) => {
      const total = await turnOf(walk)(() => countIds(walk, shared));
      totals.set(walk.key, total);
      return total;
    });
  };

  const walkOf = async (repository: RepositoryAddress, query: LogRange): Promise<Named> => {
    const folder = repositoryFolder(storages, repository);
    const { from, path, message, since, until } = query;
    if (from !== 'all' && !isSha(from)) throw new GitFailure('rev-list', 'malformed id');
    const { name, tips } =
      from === 'all' ? await allTips(repository, refs) : { name: from, tips: () => [from] };
    const times = `${since?.getTime()}:${until?.getTime()}`;
    const key = `${folder}:${name}:${times}:${message.length}:${message}${path}`;
    return { folder, tips, path, message, since, until, key };
  };

  return {
    log: async (repository, query, signal) => {
      const walk = await walkOf(repository, query);
      if (!canMatch(walk)) return [];
      const { offset, limit } = query;
      const begin = offset % idsPerChunk;
      const first = offset - begin;
      // do not make git walk beyond the end
      if (first > 0 && first >= (await totalOf(walk, signal))) return [];
      const chunk = await chunkAt(walk, first, signal);
      const ids = idsIn(chunk, begin, limit);
      if (begin + limit > idsPerChunk && idCount(chunk) === idsPerChunk) {
        const next = await chunkAt(walk, first + idsPerChunk, signal);
        ids.push(...idsIn(next, 0, limit - ids.length));
      }
      return ids;
    },

    logTotal: async (repository, range, signal) => {
      const walk = await walkOf(repository, range);
      return canMatch(walk) ? totalOf(walk, signal) : 0;
    },

    lineCounts: lineCounter(storages),

    branchWith: async (repository, sha, signal) => {
      if (!isSha(sha)) return null;
      const folder = repositoryFolder(storages, repository);
      const options = [`--contains=${sha}`, '--count=1', '--format=%(refname)'];
      const { end, text } = await turn(
        () =>
          readText([`--git-dir=${folder}`, 'for-each-ref', ...options, branchPrefix], {
            signal,
            timeLimitMs,
          }),
        { project: folder, signal },
      );
      if (end !== 'whole') throw new GitFailure('for-each-ref', 'took too long');
      return text === '' ? null : text.trimEnd().slice(branchPrefix.length);
    },
  };
}

const digests = new WeakMap<RefList, string>();

/** The tips of all branches and tags, and a key for that state, computed once per cached list. */
async function allTips(repository: RepositoryAddress, refs: Refs) {
  const lists = [await refs(repository, 'refs/heads/'), await refs(repository, 'refs/tags/')];
  const idsOf = (list: RefList) => list.slice(0, list.total, 'asc').map(({ id }) => id);
  const nameOf = (list: RefList) => {
    const cached = digests.get(list);
    if (cached !== undefined) return cached;
    const digest = createHash('sha256').update(idsOf(list).join()).digest('base64');
    digests.set(list, digest);
    return digest;
  };
  return { name: lists.map(nameOf).join(), tips: () => [...new Set(lists.flatMap(idsOf))] };
}
