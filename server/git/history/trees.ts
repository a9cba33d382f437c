import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { trimEdges } from '../../../schema/kernel/trim.ts';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { TreePage, TreeQuery } from '../../../schema/ports/git/store.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSafePath, isSha } from '../names.ts';
import { maxPooledContentBytes, type ObjectDatabase } from '../objects/object-database.ts';
import { GitFailure, runGit } from '../process/run.ts';
import { listRecursively, listTreeObject, type TreeListing } from './tree-listing.ts';

const maxCachedBytes = 64 * 1024 * 1024;
const maxCachedLocationBytes = 4 * 1024 * 1024;
const noLocation: Place = { tree: null, size: 0 };
/** So many at once may each take this much; beyond a million entries nobody pages through them. */
const maxListingBytes = 128 * 1024 * 1024;
const maxConcurrentListings = 4;
const listingTimeLimitMs = 30_000;

/** A folder's tree id, null when that commit has no such folder. */
interface Place {
  readonly tree: string | null;
  readonly size: number;
}

interface Wanted {
  readonly repository: RepositoryAddress;
  readonly tree: string;
  readonly size: number;
  readonly isRecursive: boolean;
}

/** Reads trees. What it caches is named by content, so nothing in it can become wrong. */
export function treeReader(storages: Storages, objects: ObjectDatabase) {
  const places = new LRUCache<string, Place>({
    maxSize: maxCachedLocationBytes,
    sizeCalculation: (_place, key) => key.length + 64,
  });
  const listings = new LRUCache<string, TreeListing, Wanted>({
    maxSize: maxCachedBytes,
    sizeCalculation: ({ bytes }) => bytes + 256,
    fetchMethod: (_key, _stale, { context }) => list(context),
  });

  const locate = async (
    repository: RepositoryAddress,
    sha: string,
    path: string,
  ): Promise<Place | null> => {
    const key = `${repository.storage}:${repository.diskPath}:${sha}:${path}`;
    const known = places.get(key);
    if (known) return known;
    const isRoot = path === '';
    const isAsked = !isRoot && isSafePath(path);
    const [root, found] = await Promise.all([
      objects.info(repository, `${sha}^{tree}`),
      isAsked ? objects.info(repository, `${sha}:${path}`) : null,
    ]);
    if (root?.type !== 'tree') {
      if (await objects.info(repository, sha))
        throw new GitFailure('cat-file', `the tree of ${sha} is missing`);
      return null;
    }
    // what no folder can be called is not worth remembering, however often it is asked
    if (!isRoot && !isAsked) return noLocation;
    const folder = isRoot ? root : found;
    const isFolder = folder?.type === 'tree';
    const place = { tree: isFolder ? folder.id : null, size: isFolder ? folder.size : 0 };
    places.set(key, place);
    return place;
  };

  const turn = pLimit(maxConcurrentListings);
  const runBounded = (args: readonly string[]) =>
    turn(() =>
      runGit(args, { limit: maxListingBytes, signal: AbortSignal.timeout(listingTimeLimitMs) }),
    );

  const list = async ({ repository, tree, size, isRecursive }: Wanted): Promise<TreeListing> => {
    const gitDir = `--git-dir=${repositoryFolder(storages, repository)}`;
    if (isRecursive) {
      const args = [gitDir, 'ls-tree', '-r', '-t', '-z', '--full-tree', tree];
      return listRecursively(await runBounded(args));
    }
    if (size > maxPooledContentBytes) {
      const args = [gitDir, 'cat-file', 'tree', tree];
      return listTreeObject(await runBounded(args));
    }
    const answer = await objects.content(repository, tree);
    if (!answer) throw new GitFailure('cat-file', `tree ${tree} is missing`);
    return listTreeObject(answer.content);
  };

  const listingOf = (repository: RepositoryAddress, place: Place, isRecursive: boolean) => {
    if (place.tree === null) return null;
    const key = `${repository.storage}:${repository.diskPath}:${place.tree}:${isRecursive}`;
    const context = { repository, tree: place.tree, size: place.size, isRecursive };
    return listings.forceFetch(key, { context });
  };

  const tree = async (
    repository: RepositoryAddress,
    { sha, path, isRecursive, offset, limit }: TreeQuery,
  ): Promise<TreePage | null> => {
    if (!isSha(sha)) return null;
    const folder = trimEdges(path, /\//);
    const place = await locate(repository, sha, folder);
    if (!place) return null;
    const listing = await listingOf(repository, place, isRecursive);
    if (!listing) return { entries: [], total: 0 };
    return { entries: listing.slice(folder, offset, limit), total: listing.total };
  };

  const entryAt = async (repository: RepositoryAddress, sha: string, path: string) => {
    if (!isSha(sha) || path === '' || !isSafePath(path)) return null;
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const place = await locate(repository, sha, folder);
    const listing = place && (await listingOf(repository, place, false));
    return listing?.find(folder, path.slice(path.lastIndexOf('/') + 1)) ?? null;
  };

  return { tree, entryAt };
}
