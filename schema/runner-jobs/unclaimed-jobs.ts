import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { NotifyParts } from '../pipelines/notify.ts';
import { returnJob } from '../pipelines/return-job.ts';
import type { MovableJob } from '../pipelines/start-job.ts';
import type { JobPlace } from '../ports/job-files.ts';

type Parts = NotifyParts & Pick<Context, 'db' | 'jobFiles'>;

const batchSize = 100;

interface UnclaimedJob extends MovableJob, JobPlace {
  /** When it was assigned. */
  readonly heardAt: Date;
}

/**
 * Call the result every few minutes. Queues jobs again whose runners never sent an update, although
 * they request other jobs: the response with the job was lost, as by a kill. Runner programs start
 * a trace within seconds, so a runner that has its job sends something between two calls, even if
 * it or this process was offline before. Jobs queued more than an hour ago are left to fail by
 * timeout, so that a job that no runner can read does not circulate for ever.
 */
export function requeueUnclaimedJobs(parts: Parts): () => Promise<void> {
  const { db, jobFiles } = parts;
  let suspects: ReadonlySet<string> = new Set();
  return async () => {
    const unclaimed = await lookupUnclaimed(db);
    const before = suspects;
    suspects = new Set(unclaimed.map(keyOf));
    for (const job of unclaimed) {
      // the record may lag behind the trace
      if (!before.has(keyOf(job)) || (await jobFiles.traceSize(job, true)) > 0) continue;
      await transact(db, (tx) => returnJob(tx, job, { heardAt: job.heardAt }, parts));
    }
  };
}

const keyOf = ({ id, heardAt }: UnclaimedJob): string => `${id} ${heardAt.getTime()}`;

/** A first update is recorded as a minute after the assignment, and the runner's requests once a minute. */
const lookupUnclaimed = (db: Context['db']): Promise<UnclaimedJob[]> => db.$queryRaw`
  SELECT jobs.id, jobs.pipeline_id AS "pipelineId", jobs.project_id AS "projectId",
    jobs.heard_at AS "heardAt"
  FROM jobs JOIN runners ON runners.id = jobs.runner_id
  WHERE jobs.status = 'running' AND jobs.trace_size = 0
    AND jobs.heard_at < now() - interval '1 minute'
    AND jobs.heard_at < jobs.started_at + interval '1 minute'
    AND runners.contacted_at > jobs.heard_at + interval '1 minute'
    AND jobs.queued_at > now() - interval '1 hour'
  ORDER BY jobs.heard_at LIMIT ${batchSize}`;
