import { LRUCache } from 'lru-cache';
import { trimEdges } from '../../../schema/kernel/trim.ts';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { TreePage, TreeQuery } from '../../../schema/ports/git/store.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSafePath, isSha } from '../names.ts';
import { maxPooledContentBytes, type ObjectDatabase } from '../objects/object-database.ts';
import type { ObjectInfo } from '../objects/response-reader.ts';
import { GitFailure, runGit } from '../process/run.ts';
import { sharedWork } from '../process/shared-work.ts';
import { listRecursively, listTreeObject, type TreeListing } from './tree-listing.ts';

const maxCachedBytes = 64 * 1024 * 1024;
const maxCachedLocationBytes = 4 * 1024 * 1024;
const noLocation: Location = { tree: null, size: 0 };
/** Memory limit of one recursive listing, enough for about a million entries. */
const maxListingBytes = 128 * 1024 * 1024;
const maxConcurrentListings = 4;
const listingTimeLimitMs = 30_000;

/** A folder's tree id; null when the commit has no such folder. */
interface Location {
  readonly tree: string | null;
  readonly size: number;
}

interface ListingRequest {
  readonly repository: RepositoryAddress;
  readonly tree: string;
  readonly size: number;
  readonly isRecursive: boolean;
}

/** Reads trees. The caches are keyed by object ids, so entries never become stale. */
export function treeReader(storages: Storages, objects: ObjectDatabase) {
  const locations = new LRUCache<string, Location>({
    maxSize: maxCachedLocationBytes,
    sizeCalculation: (_place, key) => key.length + 64,
  });
  const listings = new LRUCache<string, TreeListing>({
    maxSize: maxCachedBytes,
    sizeCalculation: ({ bytes }) => bytes + 256,
  });
  const listing = sharedWork<TreeListing>();

  const locate = async (
    repository: RepositoryAddress,
    sha: string,
    path: string,
  ): Promise<Location | null> => {
    const key = `${repository.storage}:${repository.diskPath}:${sha}:${path}`;
    const cached = locations.get(key);
    if (cached) return cached;
    const isRoot = path === '';
    const isLookupNeeded = !isRoot && isSafePath(path);
    const [root, entry] = await Promise.all([
      objects.info(repository, `${sha}^{tree}`),
      isLookupNeeded ? objects.info(repository, `${sha}:${path}`) : null,
    ]);
    if (root?.type !== 'tree') {
      if (await objects.info(repository, sha))
        throw new GitFailure('cat-file', `the tree of ${sha} is missing`);
      return null;
    }
    // do not cache paths that no folder can have
    if (!isRoot && !isLookupNeeded) return noLocation;
    const folder = isRoot ? root : entry;
    if (!folder) await requireAbsent(repository, root, path);
    const isFolder = folder?.type === 'tree';
    const place = { tree: isFolder ? folder.id : null, size: isFolder ? folder.size : 0 };
    locations.set(key, place);
    return place;
  };

  /** Throws if a folder along a path, or what it names, is an object that is missing. */
  const requireAbsent = async (
    repository: RepositoryAddress,
    { id, size }: Pick<ObjectInfo, 'id' | 'size'>,
    path: string,
  ): Promise<void> => {
    const [name = '', ...below] = path.split('/');
    const entry = (await listingOf(repository, { tree: id, size }, false))?.find('', name);
    if (!entry || entry.type === 'commit') return;
    const object = await objects.info(repository, entry.id);
    if (!object) throw new GitFailure('cat-file', `${entry.type} ${entry.id} is missing`);
    if (object.type === 'tree' && below.length > 0)
      await requireAbsent(repository, object, below.join('/'));
  };

  const turn = turnsOf('trees', maxConcurrentListings);
  const runBounded = (args: readonly string[], project: string) =>
    turn(
      () =>
        runGit(args, { limit: maxListingBytes, signal: AbortSignal.timeout(listingTimeLimitMs) }),
      { project },
    );

  const list = async ({
    repository,
    tree,
    size,
    isRecursive,
  }: ListingRequest): Promise<TreeListing> => {
    const folder = repositoryFolder(storages, repository);
    const gitDir = `--git-dir=${folder}`;
    if (isRecursive) {
      const args = [gitDir, 'ls-tree', '-r', '-t', '-z', '--full-tree', tree];
      return listRecursively(await runBounded(args, folder));
    }
    if (size > maxPooledContentBytes) {
      const args = [gitDir, 'cat-file', 'tree', tree];
      return listTreeObject(await runBounded(args, folder));
    }
    const answer = await objects.content(repository, tree);
    if (!answer) throw new GitFailure('cat-file', `tree ${tree} is missing`);
    return listTreeObject(answer.content);
  };

  const listingOf = (repository: RepositoryAddress, place: Location, isRecursive: boolean) => {
    if (place.tree === null) return null;
    const key = `${repository.storage}:${repository.diskPath}:${place.tree}:${isRecursive}`;
    const cached = listings.get(key);
    if (cached) return cached;
    const request = { repository, tree: place.tree, size: place.size, isRecursive };
    return listing(key, null, async () => {
      const entries = await list(request);
      listings.set(key, entries);
      return entries;
    });
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
