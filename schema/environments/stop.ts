import { findChangeableJob } from '../jobs/find.ts';
import { isPlayable } from '../jobs/policy.ts';
import { startManualJob } from '../jobs/start-manual.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { findStoppableEnvironment } from './find.ts';
import { canChangeEnvironments } from './policy.ts';

/** The manual job that stops an environment, of the pipeline that deployed to it last. */
async function stoppingJob(environmentId: number, { db }: Pick<Context, 'db'>) {
  const latest = await db.deployment.findFirst({
    where: { environmentId },
    orderBy: { id: 'desc' },
    select: { onStop: true, job: { select: { pipelineId: true } } },
  });
  if (!latest?.onStop || !latest.job) return null;
  const job = await db.job.findFirst({
    where: { pipelineId: latest.job.pipelineId, name: latest.onStop, isRetried: false },
    orderBy: { id: 'desc' },
  });
  return job && isPlayable(job) ? job : null;
}

/**
 * Stops an environment and starts its `on_stop` job for the current user, who must be allowed to start
 * it. Without such a job, only masters may stop an environment. One that is stopped stays unchanged.
 */
export async function stopEnvironment(ref: string, id: number, ctx: Context): Promise<void> {
  const { project, ...environment } = await findStoppableEnvironment(ref, id, ctx);
  const job = await stoppingJob(id, ctx);
  if (job) await findChangeableJob(ref, job.id, ctx);
  else if (!canChangeEnvironments(project.level, project)) throw forbidden();
  if (environment.state === 'stopped') return;
  await transact(ctx.db, async (tx) => {
    await tx.$queryRaw`SELECT id FROM projects WHERE id = ${project.id} FOR KEY SHARE`;
    if (job) await startManualJob(tx, job, signedIn(ctx).id, ctx);
    await tx.environment.updateMany({ where: { id }, data: { state: 'stopped' } });
  });
}
