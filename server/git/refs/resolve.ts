import type { GitHistory, RefList } from '../../../schema/ports/git/history.ts';
import type { GitStore } from '../../../schema/ports/git/store.ts';
import { isSafeRef } from '../names.ts';
import { GitFailure } from '../process/run.ts';

type Resolve = GitStore['resolveCommit'];

const branchPrefix = 'refs/heads/';

/** Distinguishes a missing branch from a branch whose commit is missing: that repository is damaged. */
export function commitResolver(resolve: Resolve, refs: GitHistory['refs']): Resolve {
  return async (repository, ref) => {
    const id = await resolve(repository, ref);
    if (id !== null || !isSafeRef(`${branchPrefix}${ref}`) || ref === 'HEAD') return id;
    const name = ref.startsWith(branchPrefix) ? ref.slice(branchPrefix.length) : ref;
    if (!holds(await refs(repository, branchPrefix), name)) return null;
    // it may have been created in between
    const commit = await resolve(repository, ref);
    if (commit === null)
      throw new GitFailure('cat-file', `the commit of ${branchPrefix}${name} is missing`);
    return commit;
  };
}

type ReadRefs = GitStore['readRefs'];

const refPrefixes = ['refs/heads/', 'refs/tags/'] as const;

/** The same for any references: omits missing ones, throws when an object is missing. */
export function checkedRefs(readRefs: ReadRefs, refs: GitHistory['refs']): ReadRefs {
  return async (repository, wanted) => {
    const resolved = await readRefs(repository, wanted);
    for (const ref of wanted) {
      const prefix = refPrefixes.find((start) => ref.startsWith(start));
      if (resolved.has(ref) || !prefix || !isSafeRef(ref)) continue;
      if (!holds(await refs(repository, prefix), ref.slice(prefix.length))) continue;
      // it may have been created in between
      if ((await readRefs(repository, [ref])).has(ref)) continue;
      throw new GitFailure('cat-file', `the object of ${ref} is missing`);
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
