import { createHash } from 'node:crypto';
import { type FileHandle, open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { orMissing, readAt } from '../../disk/files.ts';

/** What git derives from the objects of a repository: each can be made anew from them. */
export type CacheKind =
  | 'commit-graph'
  | 'multi-pack-index'
  | 'bitmap'
  | 'reverse-index'
  | 'modification-times'
  | 'pack-index';

export interface CacheFile {
  readonly path: string;
  readonly kind: CacheKind;
  /** Changes with the content; null for the missing index of a pack. */
  readonly identity: string | null;
  /** In bytes. */
  readonly size: number;
}

/** Kinds that git can be told to ignore. */
export const ignorableKinds: ReadonlySet<CacheKind> = new Set([
  'commit-graph',
  'multi-pack-index',
  'bitmap',
]);

/** Names in the folder `pack`, with the first bytes of such files. */
const packFormats: readonly (readonly [RegExp, CacheKind, string | null])[] = [
  [/^pack-[0-9a-f]{40}\.idx$/, 'pack-index', null],
  [/^(?:pack|multi-pack-index)-[0-9a-f]{40}\.bitmap$/, 'bitmap', 'BITM'],
  [/^(?:pack|multi-pack-index)-[0-9a-f]{40}\.rev$/, 'reverse-index', 'RIDX'],
  [/^pack-[0-9a-f]{40}\.mtimes$/, 'modification-times', 'MTME'],
  [/^multi-pack-index$/, 'multi-pack-index', 'MIDX'],
];

const graphName = /^graph-([0-9a-f]{40})\.graph$/;
const chainName = 'commit-graph-chain';
const chainText = /^(?:[0-9a-f]{40}\n)+$/;
const checksumBytes = 20;
/** Hashed at once: 0.2 ms, so that dozens of repositories that are verified at a time do not stall the event loop. */
const chunkBytes = 2 ** 18;
const settlingMs = 1_000;

/** Errors of a file that cannot be read; others are of the machine, and say nothing of the file. */
const unreadable: ReadonlySet<string | undefined> = new Set(['EACCES', 'EIO', 'ELOOP', 'EPERM']);

const namesIn = async (folder: string) => (await orMissing(readdir(folder))) ?? [];

async function look(path: string): Promise<Pick<CacheFile, 'identity' | 'size'>> {
  const stats = await orMissing(stat(path, { bigint: true }));
  if (!stats) return { identity: null, size: 0 };
  return { identity: `${stats.ino}:${stats.size}:${stats.mtimeNs}`, size: Number(stats.size) };
}

/** Which content a file has, as far as its metadata tell; null if there is none. */
export const identityOf = async (path: string): Promise<string | null> =>
  (await look(path)).identity;

/** The caches in a folder `objects`, graphs before the chain that names them. */
export async function listCaches(objects: string): Promise<readonly CacheFile[]> {
  const [info, packs] = [join(objects, 'info'), join(objects, 'pack')];
  const graphs = join(info, 'commit-graphs');
  const [inGraphs, inPacks] = await Promise.all([
    // a file in the place of the folder is a damaged cache itself
    readdir(graphs).catch(({ code }) => (code === 'ENOTDIR' ? null : [])),
    namesIn(packs),
  ]);
  const paths: (readonly [string, CacheKind])[] = [
    [join(info, 'commit-graph'), 'commit-graph'],
    ...(inGraphs ?? [])
      .filter((name) => graphName.test(name) || name === chainName)
      .toSorted((a, b) => Number(a === chainName) - Number(b === chainName))
      .map((name) => [join(graphs, name), 'commit-graph'] as const),
    ...(inGraphs === null ? [[graphs, 'commit-graph'] as const] : []),
    ...inPacks.flatMap((name) => {
      const kind = packFormats.find(([pattern]) => pattern.test(name))?.[1];
      return kind ? [[join(packs, name), kind] as const] : [];
    }),
  ];
  const files = await Promise.all(
    paths.map(async ([path, kind]) => ({ path, kind, ...(await look(path)) })),
  );
  const names = new Set(inPacks);
  const unindexed = inPacks
    .filter((name) => /^pack-[0-9a-f]{40}\.pack$/.test(name))
    .map((name) => name.replace(/pack$/, 'idx'))
    .filter((name) => !names.has(name));
  return [
    ...files.filter(({ identity }) => identity !== null),
    ...unindexed.map((name) => ({
      path: join(packs, name),
      kind: 'pack-index' as const,
      identity: null,
      size: 0,
    })),
  ];
}

/** The damaged caches in a folder `objects`, of at most `maxBytes` each; changes nothing. */
export async function findDamaged(
  objects: string,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<readonly CacheFile[]> {
  const damaged: CacheFile[] = [];
  for (const file of await listCaches(objects)) {
    if (file.size > maxBytes) continue;
    const isFaulty = file.identity === null ? await staysMissing(file) : await isDamaged(file);
    if (isFaulty) damaged.push(file);
  }
  return damaged;
}

/** Git writes the index of a new pack right after the pack, which a concurrent repack may delete. */
async function staysMissing({ path }: CacheFile): Promise<boolean> {
  await delay(settlingMs);
  const pack = await identityOf(path.replace(/idx$/, 'pack'));
  return pack !== null && (await identityOf(path)) === null;
}

/** Whether a cache is not what git wrote; throws if the machine cannot tell. */
export async function isDamaged({ path }: CacheFile): Promise<boolean> {
  try {
    const name = basename(path);
    if (name === chainName) return await isDamagedChain(path);
    const stats = await orMissing(stat(path));
    // git has replaced it meanwhile
    if (!stats) return false;
    if (!stats.isFile()) return true;
    const file = await open(path);
    return await isDamagedFile(file, name, stats.size).finally(() => file.close());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    if (unreadable.has(code)) return true;
    throw error;
  }
}

/** Every cache ends with the checksum of what is before it. */
async function isDamagedFile(file: FileHandle, name: string, size: number): Promise<boolean> {
  const end = size - checksumBytes;
  if (end < 4) return true;
  const signature = name.includes('graph')
    ? 'CGPH'
    : packFormats.find(([pattern]) => pattern.test(name))?.[2];
  if (signature && (await readAt(file, 0, 4)).toString('latin1') !== signature) return true;
  const sum = createHash('sha1');
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, end));
  for (let at = 0; at < end; ) {
    const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, end - at), at);
    if (bytesRead === 0) return true;
    sum.update(chunk.subarray(0, bytesRead));
    at += bytesRead;
  }
  const stored = (await readAt(file, end, checksumBytes)).toString('hex');
  const named = graphName.exec(name)?.[1] ?? stored;
  return sum.digest('hex') !== stored || named !== stored;
}

/** A chain lists graphs beside it, which git deletes only after it has replaced the chain. */
async function isDamagedChain(path: string): Promise<boolean> {
  const text = await readFile(path, 'latin1').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EISDIR') return '';
    throw error;
  });
  if (!chainText.test(text)) return true;
  const ids = text.trimEnd().split('\n');
  const graphs = ids.map((id) => identityOf(join(dirname(path), `graph-${id}.graph`)));
  if ((await Promise.all(graphs)).every((identity) => identity !== null)) return false;
  return (await readFile(path, 'latin1')) === text;
}
