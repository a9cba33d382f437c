import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { GitHistory, RefList } from '../../../schema/ports/git/history.ts';
import { isSafeRef } from '../names.ts';
import { GitFailure } from '../process/run.ts';

type Resolve = (repository: RepositoryAddress, ref: string) => Promise<string | null>;

const branchPrefix = 'refs/heads/';

/** Tells a branch that is not there from one whose commit is not: that repository is damaged. */
export function commitResolver(resolve: Resolve, refs: GitHistory['refs']): Resolve {
  return async (repository, ref) => {
    const id = await resolve(repository, ref);
    if (id !== null || !isSafeRef(`${branchPrefix}${ref}`) || ref === 'HEAD') return id;
    const name = ref.startsWith(branchPrefix) ? ref.slice(branchPrefix.length) : ref;
    if (!holds(await refs(repository, branchPrefix), name)) return null;
    // it may have come in between
    const made = await resolve(repository, ref);
    if (made === null)
      throw new GitFailure('cat-file', `the commit of ${branchPrefix}${name} is missing`);
    return made;
  };
}

type ReadRefs = (
  repository: RepositoryAddress,
  refs: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

const refPrefixes = ['refs/heads/', 'refs/tags/'] as const;

/** The same of any reference: what is left out is not there, and no object of it is missing. */
export function soundRefs(readRefs: ReadRefs, refs: GitHistory['refs']): ReadRefs {
  return async (repository, wanted) => {
    const found = await readRefs(repository, wanted);
    for (const ref of wanted) {
      const prefix = refPrefixes.find((start) => ref.startsWith(start));
      if (found.has(ref) || !prefix || !isSafeRef(ref)) continue;
      if (!holds(await refs(repository, prefix), ref.slice(prefix.length))) continue;
      // it may have come in between
      if ((await readRefs(repository, [ref])).has(ref)) continue;
      throw new GitFailure('cat-file', `the object of ${ref} is missing`);
    }
    return found;
  };
}

/** Whether a name is among those that stand in the order of their bytes. */
function holds(list: RefList, name: string): boolean {
  const wanted = Buffer.from(name);
  let [low, high] = [0, list.total];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [found] = list.slice(middle, 1, 'asc');
    const order = Buffer.compare(Buffer.from(found?.name ?? ''), wanted);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}
