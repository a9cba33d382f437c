import type { Context } from '../kernel/context.ts';
import { conflict, forbidden, unauthenticated } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { findProject } from '../projects/find.ts';
import { countFork } from '../projects/forks-count.ts';
import { lockProject } from '../projects/lock.ts';
import { canAdministerProject } from '../projects/policy.ts';
import { canTieForks } from './policy.ts';

/**
 * Says of a project that it was forked from another, and gives its id; for administrators. Refuses
 * one that is tied already, to whatever, and one that would come from itself (v4-behaviour 2.5).
 */
export async function tieFork(ref: string, sourceRef: string, ctx: Context): Promise<number> {
  if (!ctx.viewer) throw unauthenticated();
  if (!canTieForks(ctx.viewer)) throw forbidden();
  const { id } = await findProject(ref, ctx);
  const { id: sourceId } = await findProject(sourceRef, ctx);
  if (id === sourceId) throw conflict('A project cannot be forked from itself');
  await transact(ctx.db, async (tx) => {
    const { forkedFromId } = await lockProject(tx, id);
    await lockProject(tx, sourceId);
    const isTied =
      forkedFromId !== null &&
      (await tx.project.count({ where: { id: forkedFromId, isRemoved: false } })) > 0;
    if (isTied) throw conflict('Project already forked');
    await tx.project.update({ where: { id }, data: { forkedFromId: sourceId } });
    await countFork(tx, sourceId, 1);
  });
  return id;
}

/** Unties a fork from what it came from, unless it is tied to nothing, and gives its id; owners only. */
export async function untieFork(
  ref: string,
  ctx: Context,
): Promise<{ readonly id: number; readonly wasTied: boolean }> {
  const { id } = await findProject(ref, ctx, (_viewer, level) => canAdministerProject(level));
  return transact(ctx.db, async (tx) => {
    const { forkedFromId } = await lockProject(tx, id);
    if (forkedFromId === null) return { id, wasTied: false };
    await tx.project.update({ where: { id }, data: { forkedFromId: null } });
    await countFork(tx, forkedFromId, -1);
    return { id, wasTied: true };
  });
}
