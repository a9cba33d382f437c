import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { findProject } from '../projects/find.ts';
import { canManageTriggers } from './policy.ts';

/** The project whose triggers the viewer manages. */
export function findTriggersProject(ref: string, ctx: Pick<Context, 'db' | 'viewer'>) {
  // even of what is public nobody is told more without a name (v4-behaviour 1.4)
  signedIn(ctx);
  return findProject(ref, ctx, (_viewer, level) => canManageTriggers(level));
}

/** Refuses an id that is none of the project's triggers. */
export const triggerNotFound = () => notFound('Trigger');

/** What is to be known of a trigger before it is changed. */
export async function findTrigger(ref: string, id: number, ctx: Pick<Context, 'db' | 'viewer'>) {
  const { id: projectId } = await findTriggersProject(ref, ctx);
  const trigger = await ctx.db.trigger.findFirst({
    where: { id, projectId },
    select: { id: true, updatedAt: true },
  });
  if (!trigger) throw triggerNotFound();
  return trigger;
}
