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
import { LogScan } from './log-scan.ts';
import {
  canMatch,
  countIds,
  idCount,
  idsIn,
  isFiltered,
  readIds,
  streamIds,
  type Walk,
} from './log-walk.ts';

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
  /** The key of the walk without `message` and `until`, which only leave out some of its ids. */
  readonly widerKey: string;
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

  /** The walks that count the ids of a filter, by their key. */
  const scans = new Map<string, LogScan>();

  const countAll = async (walk: Named, signal: AbortSignal): Promise<number> => {
    if (!isFiltered(walk)) return turnOf(walk)(() => countIds(walk, signal));
    const scan = new LogScan(idsPerChunk);
    scans.set(walk.key, scan);
    try {
      await turnOf(walk)(() => streamIds(walk, (bytes) => scan.read(bytes), signal));
      return scan.end();
    } finally {
      if (scans.get(walk.key) === scan) scans.delete(walk.key);
    }
  };

  const countShared = (walk: Named, signal: Signal): Promise<number> =>
    counting(walk.key, signal, async (shared) => {
      const total = await countAll(walk, shared);
      totals.set(walk.key, total);
      return total;
    });

  /**
   * Joins the walk that counts, or starts it, until the chunk is complete: a listing and its total
   * are one walk, which ends early if no caller wants the total.
   */
  const scanChunk = async (walk: Named, first: number, signal: AbortSignal): Promise<Buffer> => {
    const leaving = new AbortController();
    const counted = countShared(walk, AbortSignal.any([signal, leaving.signal]));
    const chunk = scans.get(walk.key)?.chunk(first);
    try {
      // a walk that has ended has completed all chunks
      if (chunk) return await Promise.race([chunk, counted.then(() => chunk)]);
    } finally {
      counted.catch(() => {});
      leaving.abort();
    }
    return turnOf(walk)(() => readIds(walk, first, idsPerChunk, signal));
  };

  /** A chunk of ids that starts at `first`. */
  const chunkAt = (walk: Named, first: number, signal: Signal): Buffer | Promise<Buffer> => {
    const key = `${first}:${walk.key}`;
    const cached = chunks.get(key);
    if (cached) return cached;
    return reading(key, signal, async (shared) => {
      const isScanned = isFiltered(walk) && !totals.has(walk.key);
      const ids = isScanned
        ? await scanChunk(walk, first, shared)
        : await turnOf(walk)(() => readIds(walk, first, idsPerChunk, shared));
      chunks.set(key, ids);
      // a partial chunk is the last one
      if (first === 0 && idCount(ids) < idsPerChunk) totals.set(walk.key, idCount(ids));
      return ids;
    });
  };

  const totalOf = (walk: Named, signal: Signal): number | Promise<number> =>
    totals.get(walk.key) ?? countShared(walk, signal);

  /** Without a walk: of a path that is known to have no commits. */
  const isEmpty = (walk: Named): boolean => !canMatch(walk) || totals.get(walk.widerKey) === 0;

  const walkOf = async (repository: RepositoryAddress, query: LogRange): Promise<Named> => {
    const folder = repositoryFolder(storages, repository);
    const { from, path, message, since, until } = query;
    if (from !== 'all' && !isSha(from)) throw new GitFailure('rev-list', 'malformed id');
    const { name, tips } =
      from === 'all' ? await allTips(repository, refs) : { name: from, tips: () => [from] };
    const keyOf = (text: string, end: Date | null) =>
      `${folder}:${name}:${since?.getTime()}:${end?.getTime()}:${text.length}:${text}${path}`;
    const keys = { key: keyOf(message, until), widerKey: keyOf('', null) };
    return { folder, tips, path, message, since, until, ...keys };
  };

  return {
    log: async (repository, query, signal) => {
      const walk = await walkOf(repository, query);
      if (isEmpty(walk)) return [];
      const { offset, limit } = query;
      const begin = offset % idsPerChunk;
      const first = offset - begin;
      // do not make git walk beyond the end; a filtered walk starts at the newest commit anyway
      const total = first > 0 && !isFiltered(walk) ? await totalOf(walk, signal) : undefined;
      const last = Math.min(
        offset + limit,
        total ?? totals.get(walk.key) ?? Number.POSITIVE_INFINITY,
      );
      const starts = [first, first + idsPerChunk].filter((start) => start < last);
      const [chunk, next] = await Promise.all(starts.map((start) => chunkAt(walk, start, signal)));
      const ids = chunk ? idsIn(chunk, begin, limit) : [];
      return next ? [...ids, ...idsIn(next, 0, limit - ids.length)] : ids;
    },

    logTotal: async (repository, range, signal) => {
      const walk = await walkOf(repository, range);
      return isEmpty(walk) ? 0 : totalOf(walk, signal);
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
