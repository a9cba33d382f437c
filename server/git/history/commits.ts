import { LRUCache } from 'lru-cache';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { AnnotatedTag, CommitRecord, Signature } from '../../../schema/ports/git/history.ts';
import { isSha } from '../names.ts';
import { parseCommit, parseTag, shortened } from '../objects/commit-objects.ts';
import type { ObjectContent, ObjectDatabase } from '../objects/object-database.ts';
import { GitFailure } from '../process/run.ts';

const maxCachedBytes = 16 * 1024 * 1024;
const maxCachedCommitBytes = 256 * 1024;
/** Beside its texts, what a record and one id in it take in memory. */
const bytesPerRecord = 600;
const bytesPerId = 64;

/** So many questions at once: more would keep others waiting. */
const maxRequestsAtOnce = 250;
/** Characters of all messages that are given together; those that come after are shortened. */
const maxTextBytes = 16 * 1024 * 1024;
const shortMessageLength = 1024;

/**
 * Reads commits and tags. What is kept is named by its content, so nothing in it can become wrong.
 * Whatever somebody pushes, what is held is bounded: of a large object the beginning, of a message
 * 64 KiB, and of many messages 16 Mi characters, after which each is cut to 1024.
 */
export function commitReader(objects: ObjectDatabase) {
  const known = new LRUCache<string, CommitRecord>({
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
  /** An id is looked up per repository: that another one has it must not show. */
  const keyOf = ({ storage, diskPath }: RepositoryAddress, id: string) =>
    `${storage}:${diskPath}:${id}`;

  const remember = (key: string, { info, content }: ObjectContent): CommitRecord => {
    const commit = parseCommit(info.id, content, content.length < info.size);
    known.set(key, commit);
    return commit;
  };

  const commitBehind = async (repository: RepositoryAddress, id: string) => {
    if (!isSha(id)) return null;
    const key = keyOf(repository, id);
    const found = known.get(key);
    if (found) return found;
    const info = await objects.info(repository, `${id}^{commit}`);
    const answer = info && (await objects.prefix(repository, info));
    return answer && remember(key, answer);
  };

  /** Not by way of `^{commit}`, for which git reads the object whole: the id is a commit's. */
  const commitOf = async (repository: RepositoryAddress, id: string) => {
    const key = keyOf(repository, id);
    const found = known.get(key);
    if (found) return found;
    const info = isSha(id) ? await objects.info(repository, id) : null;
    const answer = info?.type === 'commit' && (await objects.prefix(repository, info));
    if (!answer) throw new GitFailure('cat-file', `commit ${id} is missing`);
    return remember(key, answer);
  };

  const commitsThere = async (repository: RepositoryAddress, ids: readonly string[]) => {
    const found: string[] = [];
    for (let at = 0; at < ids.length; at += maxRequestsAtOnce) {
      const some = ids.slice(at, at + maxRequestsAtOnce).filter(isSha);
      const infos = await Promise.all(some.map((id) => objects.info(repository, id)));
      found.push(...some.filter((_, index) => infos[index]?.type === 'commit'));
    }
    return found;
  };

  const commits = async (repository: RepositoryAddress, ids: readonly string[]) => {
    const found: CommitRecord[] = [];
    let left = maxTextBytes;
    for (let at = 0; at < ids.length; at += maxRequestsAtOnce) {
      const some = ids.slice(at, at + maxRequestsAtOnce);
      for (const commit of await Promise.all(some.map((id) => commitOf(repository, id)))) {
        const { message } = commit;
        left -= message.length;
        found.push(
          left < 0 ? { ...commit, message: shortened(message, shortMessageLength) } : commit,
        );
      }
    }
    return found;
  };

  const annotation = async (repository: RepositoryAddress, id: string) => {
    if (!isSha(id)) return null;
    const key = keyOf(repository, id);
    // a lightweight tag names a commit, which was read to be shown
    if (known.get(key)?.id === id) return null;
    const found = annotations.get(key);
    if (found) return found;
    const info = await objects.info(repository, id);
    if (info?.type !== 'tag') return null;
    const answer = await objects.prefix(repository, info);
    if (!answer) return null;
    const tag = parseTag(id, answer.content);
    annotations.set(key, tag);
    return tag;
  };

  return { commitBehind, commitsThere, commits, annotation };
}

/** What a record with these texts takes in memory. */
const bytesOf = (message: string, ...signatures: readonly (Signature | null)[]): number =>
  signatures.reduce(
    (sum, signature) =>
      sum + (signature ? 2 * (signature.name.length + signature.email.length) : 0),
    2 * message.length + bytesPerRecord,
  );
