import { untieFork } from '../forks/relation.ts';
import type { Context } from '../kernel/context.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { closeUntied } from './follow-source.ts';

/**
 * Unties a fork, and closes what it has offered to projects that it comes from no longer. Whoever
 * is cut off in between may ask again: what is left open is closed then, too.
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
