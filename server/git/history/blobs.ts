import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSha } from '../names.ts';
import { maxPooledContentBytes, type ObjectDatabase } from '../objects/object-database.ts';
import { openOutput } from '../process/open-output.ts';
import { GitFailure, runGit } from '../process/run.ts';

/** Of blobs that are held in memory and too large for the pool. */
const maxConcurrent = 8;
const maxCachedSizes = 10_000;

const missingBlob = (sha: string) => new GitFailure('cat-file', `there is no blob ${sha}`);

/** Reads blobs: small ones through the pool, large ones through a git process of their own. */
export function blobReader(storages: Storages, objects: ObjectDatabase) {
  const turn = turnsOf('large-blobs', maxConcurrent);
  const argsFor = (repository: RepositoryAddress, sha: string) => [
    `--git-dir=${repositoryFolder(storages, repository)}`,
    'cat-file',
    'blob',
    sha,
  ];

  const blobSize = async (repository: RepositoryAddress, sha: string): Promise<number | null> => {
    if (!isSha(sha)) return null;
    const info = await objects.info(repository, sha);
    return info?.type === 'blob' ? info.size : null;
  };

  /** Caches sizes, which saves a request to git: a blob never changes. */
  const sizes = new LRUCache<string, number>({ max: maxCachedSizes });

  const keptSize = async (repository: RepositoryAddress, sha: string): Promise<number | null> => {
    const key = `${repository.storage}:${repository.diskPath}:${sha}`;
    const size = sizes.get(key) ?? (await blobSize(repository, sha));
    if (size !== null) sizes.set(key, size);
    return size;
  };

  const blobSizes = async (repository: RepositoryAddress, shas: readonly string[]) => {
    const pairs = await Promise.all(
      shas.map(async (sha) => [sha, await keptSize(repository, sha)] as const),
    );
    return new Map(pairs.flatMap(([sha, size]) => (size === null ? [] : [[sha, size] as const])));
  };

  const readSmall = async (repository: RepositoryAddress, sha: string): Promise<Buffer> => {
    const answer = await objects.content(repository, sha);
    if (!answer) throw missingBlob(sha);
    return answer.content;
  };

  const readBlob = async (repository: RepositoryAddress, sha: string, limit: number) => {
    const size = await keptSize(repository, sha);
    if (size === null) throw missingBlob(sha);
    if (size > limit) return null;
    if (size > maxPooledContentBytes)
      return turn(() => runGit(argsFor(repository, sha), { limit: Math.max(limit, size) }), {
        project: repositoryFolder(storages, repository),
      });
    return readSmall(repository, sha);
  };

  const openBlob = async (repository: RepositoryAddress, sha: string): Promise<Readable> => {
    const size = await blobSize(repository, sha);
    if (size === null) throw missingBlob(sha);
    if (size > maxPooledContentBytes) return openOutput(argsFor(repository, sha));
    return Readable.from([await readSmall(repository, sha)], { objectMode: false });
  };

  return { blobSize, blobSizes, readBlob, openBlob };
}
