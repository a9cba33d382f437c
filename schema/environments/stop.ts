import { findChangeableJob } from '../jobs/find.ts';
import { startManualJob } from '../jobs/start-manual.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { findStoppableEnvironment } from './find.ts';
import { canChangeEnvironments } from './policy.ts';
import { stoppingJob } from './stopping-job.ts';

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
