import { removeForkRelation } from '../forks/relation.ts';
import type { Context } from '../kernel/context.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { closeUnlinked } from './follow-source.ts';

/**
 * Unlinks a fork, and closes its merge requests into the projects it was forked from. Can be called
 * again after an interruption: merge requests left open are closed then.
 */
export async function unlinkFork(ref: string, ctx: Context): Promise<boolean> {
  const { id, wasFork } = await removeForkRelation(ref, ctx);
  const { id: userId } = signedIn(ctx);
  const openMergeRequests = await ctx.db.mergeRequest.findMany({
    where: { sourceProjectId: id, projectId: { not: id }, state: 'opened' },
    select: { id: true },
    orderBy: { id: 'asc' },
  });
  for (const mergeRequest of openMergeRequests) await closeUnlinked(mergeRequest.id, userId, ctx);
  return wasFork;
}
