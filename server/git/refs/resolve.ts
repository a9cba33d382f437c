import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { GitHistory, RefList } from '../../../schema/ports/git/history.ts';
import type { GitStore } from '../../../schema/ports/git/store.ts';
import { isSafeRef } from '../names.ts';
import { GitFailure } from '../process/run.ts';

type Resolve = GitStore['resolveCommit'];

/** What looks into the files of a repository when git does not find something. */
interface RepositoryFiles {
  /** Throws if a reference that git does not find is damaged. */
  readonly requireAbsent: (repository: RepositoryAddress, ref: string) => Promise<void>;
  /** Mends caches: without the index of a pack, git finds none of its objects. */
  readonly mendCaches: (repository: RepositoryAddress) => Promise<unknown>;
}

const branchPrefix = 'refs/heads/';
const refPrefixes = [branchPrefix, 'refs/tags/'] as const;

/** Distinguishes a missing branch from a damaged one, and from one whose commit is missing. */
export function commitResolver(
  resolve: Resolve,
  refs: GitHistory['refs'],
  { requireAbsent, mendCaches }: RepositoryFiles,
): Resolve {
  return async (repository, ref) => {
    const id = await resolve(repository, ref);
    if (id !== null || !isSafeRef(`${branchPrefix}${ref}`) || ref === 'HEAD') return id;
    const name = ref.startsWith(branchPrefix) ? ref.slice(branchPrefix.length) : ref;
    if (!holds(await refs(repository, branchPrefix), name)) {
      for (const prefix of refPrefixes) await requireAbsent(repository, `${prefix}${name}`);
      return null;
    }
    await mendCaches(repository);
    // it may have been created in between
    const commit = await resolve(repository, ref);
    if (commit === null)
      throw new GitFailure('cat-file', `the commit of ${branchPrefix}${name} is missing`);
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
