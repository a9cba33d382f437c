import type { Transaction } from '../../prisma/client.ts';
import type { CiJob } from '../ci-config/ci-file.ts';
import type { Context } from '../kernel/context.ts';
import { lockKey } from '../kernel/storage-errors.ts';

/** Whether a runner received the job with an environment. */
export const hasEnvironment = async (jobId: number, { db }: Pick<Context, 'db'>) =>
  (await db.jobEnvironment.findUnique({ where: { jobId }, select: { jobId: true } })) !== null;

/** Locks the project of a job that is about to succeed: records that belong to it are added. */
export async function lockDeployingProject(tx: Transaction, projectId: number): Promise<void> {
  await tx.$queryRaw`SELECT id FROM projects WHERE id = ${projectId} FOR KEY SHARE`;
}

/**
 * What the success of a job means for its environment, in the same transaction: a deployment makes it
 * available, and a job with `action: stop` stops it. Nothing if the environment was deleted meanwhile.
 */
export async function settleDeployment(tx: Transaction, jobId: number): Promise<void> {
  const planned = await tx.jobEnvironment.findUnique({
    where: { jobId },
    select: { environmentId: true, url: true, job: { include: { pipeline: true } } },
  });
  if (!planned) return;
  const { environmentId, url, job } = planned;
  const { environment } = job.definition as unknown as CiJob;
  const where = { id: environmentId };
  if (environment?.action === 'stop') {
    await tx.environment.updateMany({ where, data: { state: 'stopped' } });
    return;
  }
  const { count } = await tx.environment.updateMany({
    where,
    data: { state: 'available', ...(url !== null && { externalUrl: url }) },
  });
  if (count === 0) return;
  const { projectId, pipeline } = job;
  // numbers have no gaps
  await lockKey(tx, `deployments:${projectId}`);
  const last = await tx.deployment.aggregate({ where: { projectId }, _max: { iid: true } });
  await tx.deployment.create({
    data: {
      projectId,
      iid: (last._max.iid ?? 0) + 1,
      environmentId,
      ref: pipeline.ref,
      isTag: pipeline.isTag,
      sha: pipeline.sha,
      userId: job.userId,
      jobId,
      onStop: environment?.onStop ?? null,
    },
  });
}
