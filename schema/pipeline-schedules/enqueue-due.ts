import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import { nextRunOf } from './cron.ts';

const batchSize = 100;

interface DueSchedule {
  readonly id: number;
  readonly projectId: number;
  readonly cron: string;
  readonly cronTimezone: string;
  readonly nextRunAt: Date;
}

/**
 * Enqueues a job for each schedule that is due and computes its next time in the same transaction, so
 * that a kill loses no run. Several processes share the due schedules: each skips those that another
 * has locked. Times that passed while no server ran are one run.
 */
export async function enqueueDueSchedules(parts: Pick<Context, 'db' | 'jobs'>): Promise<void> {
  for (let count = batchSize; count === batchSize; ) {
    count = await enqueueBatch(parts);
  }
}

const enqueueBatch = ({ db, jobs }: Pick<Context, 'db' | 'jobs'>): Promise<number> =>
  transact(db, async (tx) => {
    const due = await tx.$queryRaw<DueSchedule[]>`
      SELECT id, project_id AS "projectId", cron, cron_timezone AS "cronTimezone",
        next_run_at AS "nextRunAt"
      FROM pipeline_schedules WHERE is_active AND next_run_at <= now()
      ORDER BY next_run_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED`;
    const now = new Date();
    for (const { id, ...timing } of due) {
      const next = nextRunOf(timing, now);
      // a time zone may disappear with an update of the runtime
      const data =
        'at' in next
          ? { nextRunAt: next.at }
          : { isActive: false, lastError: 'The time zone or the cron expression is invalid' };
      await tx.pipelineSchedule.update({ where: { id }, data });
    }
    const payloads = due.map(({ id, projectId, nextRunAt }) => ({
      scheduleId: id,
      projectId,
      dueAt: nextRunAt.toISOString(),
    }));
    await jobs.enqueueAll('run-schedule', payloads, tx);
    return due.length;
  });
