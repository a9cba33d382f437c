import { LRUCache } from 'lru-cache';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { AnnotatedTag, CommitRecord, Signature } from '../../../schema/ports/git/history.ts';
import { isSha } from '../names.ts';
import { parseCommit, parseTag, shortened } from '../objects/commit-objects.ts';
import type { ObjectContent, ObjectDatabase } from '../objects/object-database.ts';
import { GitFailure } from '../process/run.ts';

const maxCachedBytes = 16 * 1024 * 1024;
const maxCachedCommitBytes = 256 * 1024;
/** Overhead of a record and of an id in memory, in bytes, beside the record's texts. */
const bytesPerRecord = 600;
const bytesPerId = 64;

/** Concurrent requests to the pool; more would delay other callers. */
const maxRequestsAtOnce = 250;
/** Characters of all messages in one result; further messages are shortened. */
const maxTextBytes = 16 * 1024 * 1024;
const shortMessageLength = 1024;

/**
 * Reads commits and tags. The cache is keyed by object id, so entries never become stale. Memory is
 * bounded whatever users push: only the beginning of a large object, 64 KiB of a message, and 16 Mi
 * characters of all messages, after which each is cut to 1024.
 */
export function commitReader(objects: ObjectDatabase) {
  const cache = new LRUCache<string, CommitRecord>({
    maxSize: maxCachedBytes,
    maxEntrySize: maxCachedCommitBytes,
    sizeCalculation: ({ message, author, committer, parentIds }) =>
      bytesOf(message, author, committer) + bytesPerId * parentIds.length,
  });
  const annotations = new LRUCache<string, AnnotatedTag>({
    maxSize: maxCachedBytes,
    maxEntrySize: maxCachedCommitBytes,
    sizeCalculation: ({ message, tagger }) => bytesOf(message, tagger),
  });
  /** Cached per repository: a lookup must not reveal objects of other repositories. */
  const keyOf = ({ storage, diskPath }: RepositoryAddress, id: string) =>
    `${storage}:${diskPath}:${id}`;

  const remember = (key: string, { info, content }: ObjectContent): CommitRecord => {
    const commit = parseCommit(info.id, content);
    cache.set(key, commit);
    return commit;
  };

  const commitBehind = async (repository: RepositoryAddress, id: string) => {
    if (!isSha(id)) return null;
    const key = keyOf(repository, id);
    const cached = cache.get(key);
    if (cached) return cached;
    const info = await objects.info(repository, `${id}^{commit}`);
    const answer = info && (await objects.prefix(repository, info));
    return answer && remember(key, answer);
  };

  /** Without `^{commit}`, for which git reads the whole object: the id is known to name a commit. */
  const commitOf = async (repository: RepositoryAddress, id: string) => {
    const key = keyOf(repository, id);
    const cached = cache.get(key);
    if (cached) return cached;
    const info = isSha(id) ? await objects.info(repository, id) : null;
    const answer = info?.type === 'commit' && (await objects.prefix(repository, info));
    if (!answer) throw new GitFailure('cat-file', `commit ${id} is missing`);
    return remember(key, answer);
  };

  const commitsThere = async (repository: RepositoryAddress, ids: readonly string[]) => {
    const existing: string[] = [];
    for (let at = 0; at < ids.length; at += maxRequestsAtOnce) {
      const batch = ids.slice(at, at + maxRequestsAtOnce).filter(isSha);
      const infos = await Promise.all(batch.map((id) => objects.info(repository, id)));
      existing.push(...batch.filter((_, index) => infos[index]?.type === 'commit'));
    }
    return existing;
  };

  const commits = async (repository: RepositoryAddress, ids: readonly string[]) => {
    const records: CommitRecord[] = [];
    let left = maxTextBytes;
    for (let at = 0; at < ids.length; at += maxRequestsAtOnce) {
      const batch = ids.slice(at, at + maxRequestsAtOnce);
      for (const commit of await Promise.all(batch.map((id) => commitOf(repository, id)))) {
        const { message } = commit;
        left -= message.length;
        records.push(
          left < 0 ? { ...commit, message: shortened(message, shortMessageLength) } : commit,
        );
      }
    }
    return records;
  };

  const annotation = async (repository: RepositoryAddress, id: string) => {
    if (!isSha(id)) return null;
    const key = keyOf(repository, id);
    // a lightweight tag names a commit
    if (cache.get(key)?.id === id) return null;
    const cached = annotations.get(key);
    if (cached) return cached;
    const info = await objects.info(repository, id);
    if (!info) throw new GitFailure('cat-file', `the object ${id} of a tag is missing`);
    if (info.type !== 'tag') return null;
    const answer = await objects.prefix(repository, info);
    if (!answer) return null;
    const tag = parseTag(id, answer.content);
    annotations.set(key, tag);
    return tag;
  };

  return { commitBehind, commitsThere, commits, annotation };
}

/** Memory that a record with these texts uses, in bytes. */
const bytesOf = (message: string, ...signatures: readonly (Signature | null)[]): number =>
  signatures.reduce(
    (sum, signature) =>
      sum + (signature ? 2 * (signature.name.length + signature.email.length) : 0),
    2 * message.length + bytesPerRecord,
  );
