import type { Context } from '../kernel/context.ts';
import type { Ref } from '../ports/git/history.ts';
import type { ReadableRepository } from '../repository/types.ts';
import { lookupTip } from './find.ts';

/**
 * Those of some branches that the default branch has taken in. One that is where the default branch
 * is has brought nothing yet, or is that branch itself: it is not merged.
 */
export async function mergedAmong(
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
