import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { LRUCache } from 'lru-cache';
import { orMissing } from '../../disk/files.ts';
import {
  type CacheFile,
  type CacheKind,
  identityOf,
  ignorableKinds,
  isDamaged,
  listCaches,
} from './cache-files.ts';
import { cachesAside, rebuildIndex, reportRepair, setAside, timeAside } from './cache-mending.ts';
import { repeatedWork } from './shared-work.ts';

/** Folders whose state is remembered; a forgotten one is verified again. */
const maxFolders = 5_000;
const maxAlternates = 20;

/** After a failure even caches that look unchanged are read again, as disks fail silently. */
const reverifyAfterMs = 60_000;

/** An index that could not be rebuilt, and a cache that was set aside and not made anew, are tried again. */
const retryAfterMs = 600_000;

/** An index that is not there so long after its pack does not come any more. */
const missingAfterMs = 60_000;

/** A repository by the layout of storages; other folders that git reads are not ours to change. */
const ownFolder = /\/[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{32}(?:\.wiki)?\.git\/objects$/;

interface StuckCache {
  readonly kind: CacheKind;
  /** Of the cache, and of the pack that an index belongs to. */
  readonly identity: string;
  readonly retryAt: number;
}

/** What is known of the caches in one folder `objects`. */
class CacheState {
  /** The identity of each cache that was intact. */
  readonly intact = new Map<string, string>();
  /** Damaged caches that could not be mended. */
  readonly stuck = new Map<string, StuckCache>();
  /** What was set aside, by any process, and not made anew. */
  aside: ReadonlySet<string> = new Set();
  /** Of them, what was reported to wait. */
  readonly waiting = new Set<string>();
  /** Changes when a cache was replaced or set aside: a git process that runs may still have it open. */
  generation = 0;
  listedAt = 0;
  verifiedAt = 0;
  /** Until when failures are known to have other reasons. */
  innocentUntil = 0;
  hasIgnorable = false;
  alternates: readonly string[] = [];
}

const states = new LRUCache<string, CacheState>({ max: maxFolders });
const inOrder = repeatedWork<void>();
let generations = 0;

const nextGeneration = () => {
  generations += 1;
  return generations;
};

/** The state of a folder `objects`, without looking at its files. */
export function cacheState(objects: string): CacheState {
  const existing = states.get(objects);
  if (existing) return existing;
  const state = new CacheState();
  states.set(objects, state);
  return state;
}

/** Whether git must be told to ignore the caches of a folder, as a damaged one could not be set aside. */
export const mustIgnoreCaches = (objects: string): boolean =>
  [...cacheState(objects).stuck.values()].some(({ kind }) => ignorableKinds.has(kind));

/**
 * Compares the caches of a folder with their checksums, those that have changed since they were intact,
 * and mends what is damaged. After a failure of git, `isSuspect` also reads unchanged ones.
 */
export const verifyCaches = (objects: string, isSuspect = false): Promise<void> =>
  inOrder(objects, async () => {
    const state = cacheState(objects);
    const startedAt = Date.now();
    if (isSuspect && startedAt - state.verifiedAt > reverifyAfterMs) {
      state.intact.clear();
      state.verifiedAt = startedAt;
    }
    const [files, aside, alternates] = await Promise.all([
      listCaches(objects),
      cachesAside(objects),
      readAlternates(objects),
    ]);
    state.alternates = alternates;
    noteAside(objects, state, aside);
    state.hasIgnorable = files.some(({ kind }) => ignorableKinds.has(kind));
    const present = new Set(files.map(({ path }) => path));
    for (const known of [state.intact, state.stuck])
      for (const path of known.keys()) if (!present.has(path)) known.delete(path);
    for (const file of files) await verifyFile(objects, state, file, isSuspect);
    state.listedAt = startedAt;
  });

async function verifyFile(
  objects: string,
  state: CacheState,
  file: CacheFile,
  isSuspect: boolean,
): Promise<void> {
  const { path, identity } = file;
  if (identity !== null && state.intact.get(path) === identity) return;
  // git writes an index right after its pack
  if (identity === null && !isSuspect && !(await isOldPack(path))) return;
  const stuck = state.stuck.get(path);
  if (stuck && Date.now() < stuck.retryAt && stuck.identity === (await stuckIdentity(file))) return;
  try {
    if (identity !== null && !(await isDamaged(file))) {
      // git may have replaced it while it was read
      if ((await identityOf(path)) === identity) state.intact.set(path, identity);
      state.stuck.delete(path);
      return;
    }
  } catch {
    // the machine cannot tell: try again next time
    return;
  }
  await mend(objects, state, file);
}

/** Caches can be made anew, so a damaged one is set aside; objects are not readable without an index. */
async function mend(objects: string, state: CacheState, file: CacheFile): Promise<void> {
  const { path, kind } = file;
  const report = { objects, file: path.slice(objects.length + 1), kind };
  try {
    if (!ownFolder.test(objects)) throw new Error('The repository is not in a storage');
    const outcome = await (kind === 'pack-index'
      ? rebuildIndex(objects, file).then(() => 'rebuilt' as const)
      : setAside(objects, file));
    state.generation = nextGeneration();
    state.stuck.delete(path);
    // a list of layers is damaged without one of them
    if (kind === 'commit-graph') state.intact.clear();
    if (outcome === 'replaced') return;
    state.aside = new Set(await cachesAside(objects));
    reportRepair({ ...report, outcome });
  } catch (error) {
    const identity = await stuckIdentity(file);
    state.stuck.set(path, { kind, identity, retryAt: Date.now() + retryAfterMs });
    reportRepair({ ...report, outcome: 'failed', reason: (error as Error).message });
  }
}

const isOldPack = async (index: string): Promise<boolean> => {
  const stats = await orMissing(stat(index.replace(/idx$/, 'pack')));
  return stats !== null && Date.now() - stats.mtimeMs > missingAfterMs;
};

const stuckIdentity = async ({ path, kind, identity }: CacheFile): Promise<string> => {
  const pack = kind === 'pack-index' ? path.replace(/idx$/, 'pack') : null;
  return `${identity} ${pack && (await identityOf(pack).catch(() => null))}`;
};

/** Sets aside the caches that git can be told to ignore: their checksums are right and their contents wrong. */
export const distrustCaches = (objects: string): Promise<void> =>
  inOrder(objects, async () => {
    const state = cacheState(objects);
    for (const file of await listCaches(objects)) {
      if (ignorableKinds.has(file.kind)) await mend(objects, state, file);
    }
  });

/** Another process may have set caches aside; if they are not made anew, what should do so did not run. */
function noteAside(objects: string, state: CacheState, aside: readonly string[]): void {
  if (aside.some((name) => !state.aside.has(name))) state.generation = nextGeneration();
  state.aside = new Set(aside);
  const isOld = (name: string) => Date.now() - timeAside(name) > retryAfterMs;
  const old = aside.filter((name) => !state.waiting.has(name) && isOld(name));
  for (const name of old) state.waiting.add(name);
  const [file] = old;
  if (file) reportRepair({ objects, file, kind: null, outcome: 'waiting' });
}

/** Whether the caches that decide what git answers are those that were intact. */
export async function areUnchanged(objects: string): Promise<boolean> {
  const { intact } = cacheState(objects);
  const deciding = [...intact].filter(([path]) => !/\.(?:idx|rev|mtimes)$/.test(path));
  const now = await Promise.all(deciding.map(([path]) => identityOf(path).catch(() => null)));
  return deciding.every(([, identity], index) => identity === now[index]);
}

/** The folders `objects` that a repository borrows objects from. */
async function readAlternates(objects: string): Promise<readonly string[]> {
  const text = await orMissing(readFile(join(objects, 'info', 'alternates'), 'utf8')).catch(
    () => null,
  );
  const lines = (text ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.slice(0, maxAlternates).map((line) => resolve(objects, line));
}
