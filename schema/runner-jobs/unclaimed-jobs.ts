import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { NotifyParts } from '../pipelines/notify.ts';
import { returnJob } from '../pipelines/return-job.ts';
import type { MovableJob } from '../pipelines/start-job.ts';
import type { JobPlace } from '../ports/job-files.ts';

type Parts = NotifyParts & Pick<Context, 'db' | 'jobFiles'>;

/** At one time. */
const batchSize = 100;

interface UnclaimedJob extends MovableJob, JobPlace {
  /** When it was given. */
  readonly heardAt: Date;
}

/**
 * What is to be called every few minutes to have jobs wait again of which their runners have never said
 * a word, though they ask for others: the answer that gave them was lost, as by a kill. Programs begin
 * a trace within seconds, so one that has its job is heard of from one call to the next, also where it
 * or this process was away before. What was queued an hour ago is left to fail as silent: nothing goes
 * round for ever that no runner can read.
 */
export function requeueUnclaimedJobs(parts: Parts): () => Promise<void> {
  const { db, jobFiles } = parts;
  let suspects: ReadonlySet<string> = new Set();
  return async () => {
    const unheard = await lookupUnclaimed(db);
    const before = suspects;
    suspects = new Set(unheard.map(keyOf));
    for (const job of unheard) {
      // the record follows the trace, and may be behind
      if (!before.has(keyOf(job)) || (await jobFiles.traceSize(job)) > 0) continue;
      await transact(db, (tx) => returnJob(tx, job, { heardAt: job.heardAt }, parts));
    }
  };
}

const keyOf = ({ id, heardAt }: UnclaimedJob): string => `${id} ${heardAt.getTime()}`;

/** The first word on a job is noted as a minute after it was given; that a runner asks, every minute. */
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
