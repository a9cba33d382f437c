import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import {
  accessibleProject,
  findProject,
  type ProjectFacts,
  projectById,
} from '../projects/find.ts';
import { canManageTriggers } from './policy.ts';

/** A project whose triggers the viewer manages. */
export function findTriggersProject(ref: string, ctx: Pick<Context, 'db' | 'viewer'>) {
  // anonymous users get 401 even for public projects (v4-behaviour 1.4)
  signedIn(ctx);
  return findProject(ref, ctx, (_viewer, level) => canManageTriggers(level));
}

/** As `findTriggersProject`, for edges. */
export function triggersProjectById(id: number, ctx: Pick<Context, 'db' | 'viewer'>) {
  signedIn(ctx);
  return projectById(id, ctx, (_viewer, level) => canManageTriggers(level));
}

/** As `findTriggersProject`, for the project of a record. */
export function triggersProjectOf(project: ProjectFacts, ctx: Pick<Context, 'viewer'>) {
  signedIn(ctx);
  return accessibleProject(project, ctx, (_viewer, level) => canManageTriggers(level));
}

/** Throws for an id that is not a trigger of the project. */
export const triggerNotFound = () => notFound('Trigger');

/** The columns needed to change a trigger. */
export async function findTrigger(ref: string, id: number, ctx: Pick<Context, 'db' | 'viewer'>) {
  const { id: projectId } = await findTriggersProject(ref, ctx);
  return orThrow(
    ctx.db.trigger.findFirst({
      where: { id, projectId },
      select: { id: true, updatedAt: true },
    }),
    triggerNotFound,
  );
}
