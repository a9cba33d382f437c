import { LRUCache } from 'lru-cache';
import type { RepositoryAddress } from '../../schema/ports/git.ts';
import type { AnnotatedTag, CommitRecord } from '../../schema/ports/git-history.ts';
import { parseCommit, parseTag } from './commit-objects.ts';
import { isSha } from './names.ts';
import type { ObjectDatabase } from './object-database.ts';
import { GitFailure } from './run.ts';

const CACHED_BYTES = 16 * 1024 * 1024;
/** Beside its text, what a record takes in memory. */
const RECORD_BYTES = 600;

/** Reads commits and tags. What is kept is named by its content, so nothing in it can become wrong. */
export function commitReader(objects: ObjectDatabase) {
  const known = new LRUCache<string, CommitRecord>({
    maxSize: CACHED_BYTES,
    sizeCalculation: ({ message }) => 2 * message.length + RECORD_BYTES,
  });
  const annotations = new LRUCache<string, AnnotatedTag>({
    maxSize: CACHED_BYTES,
    sizeCalculation: ({ message }) => 2 * message.length + RECORD_BYTES,
  });
  /** An id is looked up per repository: that another one has it must not show. */
  const keyOf = ({ storage, diskPath }: RepositoryAddress, id: string) =>
    `${storage}:${diskPath}:${id}`;

  const commitBehind = async (repository: RepositoryAddress, id: string) => {
    if (!isSha(id)) return null;
    const key = keyOf(repository, id);
    const found = known.get(key);
    if (found) return found;
    const info = await objects.info(repository, `${id}^{commit}`);
    const answer = info && (await objects.content(repository, info.id));
    if (!answer) return null;
    const commit = parseCommit(answer.info.id, answer.content);
    known.set(key, commit);
    return commit;
  };

  const commits = (repository: RepositoryAddress, ids: readonly string[]) =>
    Promise.all(
      ids.map(async (id) => {
        const known = await commitOf(repository, id);
        if (!known) throw new GitFailure('cat-file', `commit ${id} is missing`);
        return known;
      }),
    );

  /** One question instead of two: the id is known to be a commit's. */
  const commitOf = async (repository: RepositoryAddress, id: string) => {
    const key = keyOf(repository, id);
    const found = known.get(key);
    if (found) return found;
    const answer = isSha(id) ? await objects.content(repository, id) : null;
    if (answer?.info.type !== 'commit') return null;
    const commit = parseCommit(id, answer.content);
    known.set(key, commit);
    return commit;
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
    const answer = await objects.content(repository, id);
    if (!answer) return null;
    const tag = parseTag(id, answer.content);
    annotations.set(key, tag);
    return tag;
  };

  return { commitBehind, commits, annotation };
}
