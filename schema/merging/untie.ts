import { untieFork } from '../forks/relation.ts';
import type { Context } from '../kernel/context.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { closeUntied } from './follow-source.ts';

/**
 * Unlinks a fork, and closes its merge requests into the projects it was forked from. Can be called
 * again after an interruption: merge requests left open are closed then.
 */
export async function untieOffering(ref: string, ctx: Context): Promise<boolean> {
  const { id, wasTied } = await untieFork(ref, ctx);
  const { id: userId } = signedIn(ctx);
  const left = await ctx.db.mergeRequest.findMany({
    where: { sourceProjectId: id, projectId: { not: id }, state: 'opened' },
    select: { id: true },
    orderBy: { id: 'asc' },
  });
  for (const one of left) await closeUntied(one.id, userId, ctx);
  return wasTied;
}
