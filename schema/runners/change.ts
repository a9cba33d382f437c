import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, forbidden, notFound, refuseFaults } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { distinctTags, runnerFaults } from './faults.ts';
import { findRunner, findRunnersProject, lockExistingRunner, lockRunner } from './find.ts';
import {
  type RunnerAccess,
  reasonNotToDelete,
  reasonNotToEnable,
  reasonNotToUpdate,
} from './policy.ts';

/** Changes to a runner; omitted fields stay unchanged. */
export interface RunnerChange {
  readonly description?: string | null;
  readonly isActive?: boolean;
  /** Replaces all tags. */
  readonly tags?: readonly string[];
  readonly runsUntagged?: boolean;
  readonly isLocked?: boolean;
  readonly access?: RunnerAccess;
}

/** Changes a runner; throws if it could not run any job (v4-behaviour 2.1). */
export async function updateRunner(id: number, change: RunnerChange, ctx: Context): Promise<void> {
  const { viewer } = ctx;
  await transact(ctx.db, async (tx) => {
    await lockExistingRunner(tx, id);
    await findRunner(id, reasonNotToUpdate, { db: tx, viewer });
    const stored = await tx.runner.findUniqueOrThrow({
      where: { id },
      select: { tags: true, runsUntagged: true },
    });
    const { tags, ...others } = change;
    const data = { ...others, ...(tags && { tags: distinctTags(tags) }) };
    refuseFaults(runnerFaults({ ...stored, ...data }));
    await tx.runner.update({ where: { id }, data });
    await wakeRunners(tx);
  });
  ctx.runnerCache.forget(id);
}

/** Wakes waiting runners: one of them may now match more jobs. */
const wakeRunners = (tx: Transaction) => tx.$executeRaw`SELECT pg_notify('millrace_jobs', '')`;

export async function deleteRunner(id: number, ctx: Context): Promise<void> {
  const { viewer } = ctx;
  await transact(ctx.db, async (tx) => {
    await lockExistingRunner(tx, id);
    refuseModified(await findRunner(id, reasonNotToDelete, { db: tx, viewer }), ctx);
    await tx.runner.delete({ where: { id }, select: { id: true } });
  });
  ctx.runnerCache.forget(id);
}

/** Enables a runner in a further project; throws if it is enabled there. */
export async function enableRunner(ref: string, id: number, ctx: Context): Promise<void> {
  const { viewer } = ctx;
  const { id: projectId } = await findRunnersProject(ref, ctx);
  await transact(ctx.db, async (tx) => {
    await lockExistingRunner(tx, id);
    await findRunner(id, reasonNotToEnable, { db: tx, viewer });
    const count = await tx.$executeRaw`
      INSERT INTO runner_projects (runner_id, project_id)
      SELECT ${id}, id FROM projects WHERE id = ${projectId} AND NOT is_removed
      ON CONFLICT DO NOTHING`;
    if (count === 0) throw conflict('Runner was already enabled for this project');
    await wakeRunners(tx);
  });
}

/** Disables a runner in a project; throws for its last project, because no user could remove it then. */
export async function disableRunner(ref: string, id: number, ctx: Context): Promise<void> {
  const { viewer } = ctx;
  const { id: projectId } = await findRunnersProject(ref, ctx);
  await transact(ctx.db, async (tx) => {
    if (!(await lockRunner(tx, id))) throw notFound('Runner');
    const where = { runnerId_projectId: { runnerId: id, projectId } };
    const enabled = await tx.runnerProject.findUnique({ where, select: { createdAt: true } });
    if (!enabled) throw notFound('Runner');
    const { projectCount } = await findRunner(id, () => null, { db: tx, viewer });
    if (projectCount === 1) throw forbidden(lastProject);
    refuseModified({ updatedAt: enabled.createdAt }, ctx);
    await tx.runnerProject.delete({ where, select: { runnerId: true } });
  });
}

const lastProject = 'Only one project associated with the runner. Please remove the runner instead';
