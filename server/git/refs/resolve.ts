import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { GitHistory, RefList } from '../../../schema/ports/git/history.ts';
import type { GitStore } from '../../../schema/ports/git/store.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSafeRef } from '../names.ts';
import type { ObjectDatabase } from '../objects/object-database.ts';
import { GitFailure } from '../process/run.ts';
import { requireAbsent } from './damaged-refs.ts';

type Resolve = GitStore['resolveCommit'];

/** The references that a name may mean. */
const meaningsOf = (ref: string): readonly string[] =>
  refPrefixes.some((prefix) => ref.startsWith(prefix))
    ? [ref]
    : refPrefixes.map((prefix) => `${prefix}${ref}`);

/** What looks into the files of a repository when git does not find something. */
interface RepositoryFiles {
  /** Throws if a reference that git does not find is damaged. */
  readonly requireAbsent: (repository: RepositoryAddress, ref: string) => Promise<void>;
  /** Throws unless what a reference names can be read; a tag may name a tree or a file. */
  readonly requireObject: (repository: RepositoryAddress, ref: string) => Promise<void>;
  /** Mends caches: without the index of a pack, git finds none of its objects. */
  readonly mendCaches: (repository: RepositoryAddress) => Promise<unknown>;
}

export const repositoryFiles = (storages: Storages, objects: ObjectDatabase): RepositoryFiles => ({
  requireAbsent: (repository, ref) => requireAbsent(repositoryFolder(storages, repository), ref),
  requireObject: async (repository, ref) => {
    if (!(await objects.info(repository, `${ref}^{}`)))
      throw new GitFailure('cat-file', `the object of ${ref} is missing`);
  },
  mendCaches: objects.mendCaches,
});

const branchPrefix = 'refs/heads/';
const refPrefixes = [branchPrefix, 'refs/tags/'] as const;

/** Distinguishes a missing branch or tag from a damaged one, and from one whose commit is missing. */
export function commitResolver(
  { resolveCommit: resolve, head }: Pick<GitStore, 'resolveCommit' | 'head'>,
  refs: GitHistory['refs'],
  { requireAbsent, requireObject, mendCaches }: RepositoryFiles,
): Resolve {
  return async (repository, ref) => {
    const id = await resolve(repository, ref);
    if (id !== null || !isSafeRef(`${branchPrefix}${ref}`)) return id;
    const names = ref === 'HEAD' ? [await head(repository)] : meaningsOf(ref);
    const existing: string[] = [];
    for (const name of names) {
      const prefix = refPrefixes.find((start) => name.startsWith(start));
      if (!prefix) continue;
      if (holds(await refs(repository, prefix), name.slice(prefix.length))) existing.push(name);
      else await requireAbsent(repository, name);
    }
    if (existing.length === 0) return null;
    await mendCaches(repository);
    // it may have been created in between
    const commit = await resolve(repository, ref);
    if (commit === null) for (const name of existing) await requireObject(repository, name);
    return commit;
  };
}

type ReadRefs = GitStore['readRefs'];

/** The same for any references: omits missing ones, throws when one is damaged or its object is missing. */
export function checkedRefs(
  readRefs: ReadRefs,
  refs: GitHistory['refs'],
  { requireAbsent, mendCaches }: RepositoryFiles,
): ReadRefs {
  return async (repository, wanted) => {
    const resolved = new Map(await readRefs(repository, wanted));
    for (const ref of wanted) {
      const prefix = refPrefixes.find((start) => ref.startsWith(start));
      if (resolved.has(ref) || !prefix || !isSafeRef(ref)) continue;
      if (!holds(await refs(repository, prefix), ref.slice(prefix.length))) {
        await requireAbsent(repository, ref);
        continue;
      }
      await mendCaches(repository);
      // it may have been created in between
      const id = (await readRefs(repository, [ref])).get(ref);
      if (id === undefined) throw new GitFailure('cat-file', `the object of ${ref} is missing`);
      resolved.set(ref, id);
    }
    return resolved;
  };
}

/** Binary search in names sorted by their bytes. */
function holds(list: RefList, name: string): boolean {
  const wanted = Buffer.from(name);
  let [low, high] = [0, list.total];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [ref] = list.slice(middle, 1, 'asc');
    const order = Buffer.compare(Buffer.from(ref?.name ?? ''), wanted);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}
