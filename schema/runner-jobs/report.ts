import { hasEnvironment, lockDeployingProject, settleDeployment } from '../environments/deploy.ts';
import { jobFailures } from '../jobs/types.ts';
import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import { moveJob } from '../pipelines/move-job.ts';
import type { CiStatus } from '../pipelines/status.ts';
import { completeTrace } from './complete-trace.ts';
import { type AuthenticatedJob, findJobByToken } from './credentials.ts';
import { traceSummary } from './trace-summary.ts';

type JobFailure = (typeof jobFailures)[number];

/** Failure reasons of later runner versions, and their equivalents. */
const otherWords: Readonly<Record<string, JobFailure>> = {
  job_execution_timeout: 'stuck_or_timeout_failure',
};

/** A runner's update of its job. */
export interface JobReport {
  readonly id: number;
  /** The job token. */
  readonly token: string;
  /** `success` or `failed` ends the job; any other value means that it still runs. */
  readonly state?: string | null | undefined;
  readonly failureReason?: string | null | undefined;
  /** The complete trace. */
  readonly trace?: string | null | undefined;
}

/**
 * Applies a runner's update to its job and returns the job's resulting status: a canceled job stays
 * canceled (v4-behaviour 3.12).
 */
export async function reportJob(report: JobReport, ctx: Context): Promise<CiStatus> {
  const job = await findJobByToken(report.id, report.token, ctx);
  const { state, trace } = report;
  if (trace) await completeTrace(job, report.token, trace, ctx);
  if (job.status !== 'running') {
    if (trace) await noteTrace(job, ctx);
    return job.status;
  }
  if (state !== 'success' && state !== 'failed') {
    await recordJobContact(job.id, ctx.db);
    return job.status;
  }
  const details = {
    ...(await traceSummary(job, ctx)),
    ...(state === 'failed' && { failure: failureOf(report.failureReason) }),
  };
  const deploys = state === 'success' && (await hasEnvironment(job.id, ctx));
  const isMoved = await transact(ctx.db, async (tx) => {
    if (deploys) await lockDeployingProject(tx, job.projectId);
    const isFinished = await moveJob(tx, job, state, details, ctx);
    if (isFinished && deploys) await settleDeployment(tx, job.id);
    return isFinished;
  });
  if (isMoved) return state;
  const { status } = await ctx.db.job.findUniqueOrThrow({
    where: { id: job.id },
    select: { status: true },
  });
  return status;
}

const failureOf = (reason: string | null | undefined): JobFailure =>
  jobFailures.find((each) => each === reason) ?? otherWords[reason ?? ''] ?? 'unknown_failure';

/** Updates the record of a finished job from its final trace. */
async function noteTrace(job: AuthenticatedJob, { db, jobFiles }: Context): Promise<void> {
  const traceSize = await jobFiles.traceSize(job);
  await db.job.updateMany({ where: { id: job.id, erasedAt: null }, data: { traceSize } });
}

/**
 * Records the runner's contact about a job, at most once a minute. The first contact is recorded a
 * minute after the assignment at the earliest.
 */
async function recordJobContact(id: number, db: Pick<Context['db'], '$executeRaw'>): Promise<void> {
  await db.$executeRaw`
    UPDATE jobs SET heard_at = greatest(now(), started_at + interval '1 minute')
    WHERE id = ${id} AND status = 'running' AND (
      heard_at IS NULL OR heard_at < now() - interval '1 minute'
      OR heard_at < started_at + interval '1 minute'
    )`;
}
