import { LRUCache } from 'lru-cache';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { GitStore } from '../../../schema/ports/git/store.ts';
import type { WikiFile } from '../../../schema/ports/git/wikis.ts';
import type { Storages } from '../address.ts';
import type { ObjectDatabase } from '../objects/object-database.ts';
import { readObjectContent } from '../objects/read-object.ts';
import { isFolder, readTree, type TreeItem } from '../objects/tree-bytes.ts';
import { GitFailure } from '../process/run.ts';
import { wikiBranch, wikiExists } from './wiki-creation.ts';

const wikiRef = `refs/heads/${wikiBranch}`;
const maxCachedBytes = 32 * 1024 * 1024;
/** Memory of a file entry and everything cached with it, such as a page's title. */
const bytesPerFile = 500;
const bytesPerPathCharacter = 4;
const maxCachedWikis = 10_000;
/** Folders that contain each other repeatedly can stand for any number of files. */
const maxEntries = 200_000;
const maxFolders = 20_000;
const maxLevels = 100;
const maxConcurrentFolders = 64;

interface Listing {
  readonly files: readonly WikiFile[] | null;
}

interface ListingRequest {
  readonly wiki: RepositoryAddress;
  readonly tree: string;
  readonly endings: readonly string[];
}

/** Lists the files of wikis by reading tree objects through the pool; cached per commit tree. */
export function wikiFilesReader(
  storages: Storages,
  objects: ObjectDatabase,
  resolveCommit: GitStore['resolveCommit'],
) {
  const listings = new LRUCache<string, Listing, ListingRequest>({
    maxSize: maxCachedBytes,
    sizeCalculation: ({ files }) =>
      (files ?? []).reduce(
        (sum, { path }) => sum + bytesPerPathCharacter * path.length + bytesPerFile,
        256,
      ),
    fetchMethod: async (_key, _stale, { context }) => ({ files: await walk(context) }),
  });

  const walk = async ({
    wiki,
    tree,
    endings,
  }: ListingRequest): Promise<readonly WikiFile[] | null> => {
    const files: WikiFile[] = [];
    let entries = 0;
    let folders = 0;
    let level = [{ path: '', id: tree }];
    for (let depth = 0; level.length > 0; depth += 1) {
      folders += level.length;
      if (folders > maxFolders || depth > maxLevels) return null;
      const below: { path: string; id: string }[] = [];
      for (let at = 0; at < level.length; at += maxConcurrentFolders) {
        const batch = level.slice(at, at + maxConcurrentFolders);
        const read = await Promise.all(
          batch.map(({ id }) => readObjectContent(storages, objects, wiki, { type: 'tree', id })),
        );
        for (const [index, bytes] of read.entries()) {
          const { items } = readTree(bytes);
          entries += items.size;
          if (entries > maxEntries || below.length > maxFolders) return null;
          for (const [raw, item] of items) {
            const name = textOf(raw);
            if (name === null) continue;
            const path = `${batch[index]?.path}${name}`;
            if (isFolder(item)) below.push({ path: `${path}/`, id: item.id });
            else if (isRegular(item) && endings.some((ending) => name.endsWith(ending))) {
              files.push({ path, id: item.id });
            }
          }
        }
      }
      level = below;
    }
    return files;
  };

  /** Wikis known to exist: a wiki is deleted with its project, after which it is not requested. */
  const existing = new LRUCache<string, true>({ max: maxCachedWikis });
  const isThere = async (wiki: RepositoryAddress): Promise<boolean> => {
    const key = `${wiki.storage}:${wiki.diskPath}`;
    if (existing.get(key)) return true;
    const isFound = await wikiExists(storages, wiki);
    if (isFound) existing.set(key, true);
    return isFound;
  };

  const wikiFiles = async (wiki: RepositoryAddress, endings: readonly string[]) => {
    if (!(await isThere(wiki))) return [];
    const root = await objects.info(wiki, `${wikiRef}^{tree}`);
    if (!root) {
      if (await resolveCommit(wiki, wikiRef))
        throw new GitFailure('cat-file', 'the tree of the wiki is missing');
      return [];
    }
    const key = `${wiki.storage}:${wiki.diskPath}:${root.id}:${endings.join()}`;
    const listing = await listings.forceFetch(key, { context: { wiki, tree: root.id, endings } });
    return listing.files;
  };

  const wikiCommit = async (wiki: RepositoryAddress) => {
    if (!(await isThere(wiki))) return null;
    return resolveCommit(wiki, wikiRef);
  };

  return { wikiFiles, wikiCommit };
}

/** Neither a link nor a submodule. */
export const isRegular = ({ mode }: TreeItem) => mode.startsWith('100');

/** A name's bytes as UTF-8 text; null when they are not valid UTF-8. */
export function textOf(raw: string): string | null {
  if (!/[\x80-\xff]/.test(raw)) return raw;
  const bytes = Buffer.from(raw, 'latin1');
  const text = bytes.toString();
  return text.includes('\ufffd') && !Buffer.from(text).equals(bytes) ? null : text;
}
