import type { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import { moveJob } from '../pipelines/move-job.ts';
import type { NotifyParts } from '../pipelines/notify.ts';

type Parts = NotifyParts & Pick<Context, 'db'>;

/** Milliseconds. */
const maxSilence = 3_600_000;

/** Milliseconds after the deadline in which the runner can end the job itself and send its trace. */
const graceAfterDeadline = 300_000;

const batchSize = 100;

/** Fails jobs whose runners sent nothing for an hour; later updates are refused. */
export const failUnresponsiveJobs = (parts: Parts): Promise<void> =>
  failRunning({ heardAt: { lt: new Date(Date.now() - maxSilence) } }, 'heardAt', parts);

/**
 * Fails jobs that run five minutes past their timeout. Runners receive the timeout and enforce it;
 * this covers runners that ignore it but still send updates.
 */
export const failOverdueJobs = (parts: Parts): Promise<void> =>
  failRunning(
    { deadlineAt: { lt: new Date(Date.now() - graceAfterDeadline) } },
    'deadlineAt',
    parts,
  );

/** Fails the running jobs that match `condition`, which is checked again for each. */
async function failRunning(
  condition: Prisma.JobWhereInput,
  order: 'heardAt' | 'deadlineAt',
  parts: Parts,
): Promise<void> {
  const where = { ...condition, status: 'running' } as const;
  for (let count = batchSize; count === batchSize; ) {
    const jobs = await parts.db.job.findMany({
      where,
      orderBy: { [order]: 'asc' },
      take: batchSize,
      select: { id: true, pipelineId: true },
    });
    for (const job of jobs) {
      await transact(parts.db, async (tx) => {
        const matching = await tx.job.count({ where: { ...where, id: job.id } });
        if (matching === 0) return;
        await moveJob(tx, job, 'failed', { failure: 'stuck_or_timeout_failure' }, parts);
      });
    }
    count = jobs.length;
  }
}
