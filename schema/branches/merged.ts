import type { Context } from '../kernel/context.ts';
import type { Ref } from '../ports/git/history.ts';
import type { ReadableRepository } from '../repository/types.ts';
import { lookupTip } from './find.ts';

/**
 * The names of the branches that are merged into the default branch. A branch at the default
 * branch's own tip does not count: it has no commits yet, or is the default branch.
 */
export async function findMergedBranches(
  repository: ReadableRepository,
  branches: readonly Ref[],
  ctx: Pick<Context, 'git' | 'request'>,
): Promise<readonly Ref[]> {
  const { defaultBranch } = repository;
  const tip = defaultBranch === null ? null : await lookupTip(repository, defaultBranch, ctx);
  if (tip === null) return [];
  const others = branches.filter(({ id }) => id !== tip);
  const ids = others.map(({ id }) => id);
  const merged = await ctx.git.merged(repository, tip, ids, ctx.request.signal);
  return others.filter(({ id }) => merged.has(id));
}
