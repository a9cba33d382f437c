import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import { moveJob } from '../pipelines/move-job.ts';
import type { TellParts } from '../pipelines/tell.ts';

/** Milliseconds. */
const longestSilence = 3_600_000;

/** At one time. */
const mostJobs = 100;

/** Fails jobs whose runners were not heard of for an hour; whatever they say later comes too late. */
export async function failSilentJobs(parts: TellParts & Pick<Context, 'db'>): Promise<void> {
  for (let failed = mostJobs; failed === mostJobs; ) {
    const isSilent = {
      status: 'running',
      heardAt: { lt: new Date(Date.now() - longestSilence) },
    } as const;
    const silent = await parts.db.job.findMany({
      where: isSilent,
      orderBy: { heardAt: 'asc' },
      take: mostJobs,
      select: { id: true, pipelineId: true },
    });
    for (const job of silent) {
      await transact(parts.db, async (tx) => {
        const isStill = await tx.job.count({ where: { id: job.id, ...isSilent } });
        if (isStill === 0) return;
        await moveJob(tx, job, 'failed', { failure: 'stuck_or_timeout_failure' }, parts);
      });
    }
    failed = silent.length;
  }
}
