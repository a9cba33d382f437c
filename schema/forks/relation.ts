import type { Context } from '../kernel/context.ts';
import { conflict, forbidden, unauthenticated } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { findProject } from '../projects/find.ts';
import { changeForkCount } from '../projects/forks-count.ts';
import { lockProject } from '../projects/lock.ts';
import { canAdministerProject } from '../projects/policy.ts';
import { canCreateForkRelation } from './policy.ts';

/**
 * Marks a project as a fork of another and returns its id; administrators only. Throws if it
 * already is a fork, or if a cycle would result (v4-behaviour 2.5).
 */
export async function createForkRelation(
  ref: string,
  sourceRef: string,
  ctx: Context,
): Promise<number> {
  if (!ctx.viewer) throw unauthenticated();
  if (!canCreateForkRelation(ctx.viewer)) throw forbidden();
  const { id } = await findProject(ref, ctx);
  const { id: sourceId } = await findProject(sourceRef, ctx);
  if (id === sourceId) throw conflict('A project cannot be forked from itself');
  await transact(ctx.db, async (tx) => {
    const { forkedFromId } = await lockProject(tx, id);
    await lockProject(tx, sourceId);
    const isFork =
      forkedFromId !== null &&
      (await tx.project.count({ where: { id: forkedFromId, isRemoved: false } })) > 0;
    if (isFork) throw conflict('Project already forked');
    await tx.project.update({ where: { id }, data: { forkedFromId: sourceId } });
    await changeForkCount(tx, sourceId, 1);
  });
  return id;
}

/** Removes a project's fork relation, if any, and returns its id; owners only. */
export async function removeForkRelation(
  ref: string,
  ctx: Context,
): Promise<{ readonly id: number; readonly wasFork: boolean }> {
  const { id } = await findProject(ref, ctx, (_viewer, level) => canAdministerProject(level));
  return transact(ctx.db, async (tx) => {
    const { forkedFromId } = await lockProject(tx, id);
    if (forkedFromId === null) return { id, wasFork: false };
    await tx.project.update({ where: { id }, data: { forkedFromId: null } });
    await changeForkCount(tx, forkedFromId, -1);
    return { id, wasFork: true };
  });
}
