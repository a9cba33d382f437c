import { LRUCache } from 'lru-cache';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { Ref, RefList, RefPrefix } from '../../../schema/ports/git/history.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { readBytes } from '../process/output.ts';
import { GitFailure } from '../process/run.ts';
import { repeatedWork } from '../process/shared-work.ts';
import { requirePackedRefs } from './damaged-refs.ts';
import { type Footprint, isUnchanged, readFootprint } from './footprint.ts';

const maxCachedBytes = 32 * 1024 * 1024;
const maxRefListBytes = 256 * 1024 * 1024;
/** Each may hold a list of the maximum size. */
const maxConcurrent = 4;
const timeLimitMs = 60_000;
const idLength = 40;
const newlineByte = 0x0a;

interface CachedList {
  readonly list: RefList;
  readonly footprint: Footprint;
  readonly bytes: number;
}

/** Lists references. A list is cached while its footprint is unchanged, and needs no git process. */
export function refLists(storages: Storages) {
  const cache = new LRUCache<string, CachedList>({
    maxSize: maxCachedBytes,
    sizeCalculation: ({ bytes }) => bytes + 512,
  });

  const reading = repeatedWork<RefList>();
  const turn = turnsOf('ref-lists', maxConcurrent);

  /** The cached list, if nothing has changed since. */
  const unchanged = async (key: string): Promise<RefList | null> => {
    const cached = cache.get(key);
    return cached && (await isUnchanged(cached.footprint)) ? cached.list : null;
  };

  const read = async (key: string, folder: string, prefix: RefPrefix): Promise<RefList> => {
    await requirePackedRefs(folder);
    const footprint = await readFootprint(folder, prefix);
    const text = await readRefs(folder, prefix);
    const list = listOf(text, prefix);
    // read before git runs: any later change differs from it
    if (footprint?.isSettled) {
      cache.set(key, { list, footprint, bytes: 2 * text.length });
    } else cache.delete(key);
    return list;
  };

  const refs = async (repository: RepositoryAddress, prefix: RefPrefix): Promise<RefList> => {
    const folder = repositoryFolder(storages, repository);
    const key = `${folder}:${prefix}`;
    const cached = await unchanged(key);
    if (cached) return cached;
    // after waiting for another read, the cached list is nearly always current
    return reading(
      key,
      async () =>
        (await unchanged(key)) ?? turn(() => read(key, folder, prefix), { project: folder }),
    );
  };

  return { refs };
}

async function readRefs(folder: string, prefix: RefPrefix): Promise<Buffer> {
  const args = [`--git-dir=${folder}`, 'for-each-ref', '--format=%(objectname) %(refname)', prefix];
  const { end, bytes } = await readBytes(args, { timeLimitMs, limit: maxRefListBytes });
  if (end === 'whole') return bytes;
  throw new GitFailure('for-each-ref', end === 'cut' ? 'lists too much' : 'took too long');
}

/** A list over git's own output, `<id> <name>` lines, so that 100 000 references are two buffers. */
function listOf(text: Buffer, prefix: RefPrefix): RefList {
  const places: number[] = [];
  for (let at = 0; at < text.length; at = text.indexOf(newlineByte, at) + 1) places.push(at);
  const starts = Uint32Array.from(places);
  const show = (start: number): Ref => ({
    id: text.toString('latin1', start, start + idLength),
    name: text.toString(
      'utf8',
      start + idLength + 1 + prefix.length,
      text.indexOf(newlineByte, start),
    ),
  });
  return {
    total: starts.length,
    slice: (offset, limit, direction) => {
      if (direction === 'asc') return Array.from(starts.subarray(offset, offset + limit), show);
      const end = Math.max(0, starts.length - offset);
      return Array.from(starts.subarray(Math.max(0, end - limit), end), show).reverse();
    },
  };
}
