import type { Context } from '../kernel/context.ts';
import { forbidden, pathNotFound } from '../kernel/errors.ts';
import { refuseToken } from '../kernel/wrong-token.ts';
import type { CiStatus } from '../pipelines/status.ts';

/** A job for which its runner has just spoken. */
export interface AuthenticatedJob {
  readonly id: number;
  readonly projectId: number;
  readonly pipelineId: number;
  readonly status: CiStatus;
  readonly runnerId: number | null;
}

const isSame = (one: Uint8Array | null, other: Uint8Array): boolean =>
  one !== null && Buffer.from(one).equals(other);

/**
 * The job `id`, whose runner shows the token that it was handed out with, in whatever state it is by
 * now. Refuses an id that is no job's as not found, and as forbidden any other token, a job that was
 * erased, and one whose project is gone (v4-behaviour 3.12).
 */
export async function findJobByToken(
  id: number,
  token: string | null | undefined,
  ctx: Pick<Context, 'db' | 'secrets' | 'request' | 'signInLimits'>,
): Promise<AuthenticatedJob> {
  const job = await ctx.db.job.findUnique({
    relationLoadStrategy: 'join',
    where: { id },
    select: {
      id: true,
      projectId: true,
      pipelineId: true,
      status: true,
      runnerId: true,
      erasedAt: true,
      tokenDigest: true,
      project: { select: { isRemoved: true } },
    },
  });
  const { tokenDigest, project, erasedAt, ...spoken } = await authenticateJob(job, token, ctx);
  return spoken;
}

/** What of a job decides on whether a runner speaks for it. */
interface Claimed {
  readonly tokenDigest: Uint8Array | null;
  readonly erasedAt: Date | null;
  readonly project: { readonly isRemoved: boolean };
}

/** The job that was looked up, for which this token speaks; refuses as `findJobByToken` does. */
export async function authenticateJob<Job extends Claimed>(
  job: Job | null,
  token: string | null | undefined,
  ctx: Pick<Context, 'secrets' | 'request' | 'signInLimits'>,
): Promise<Job> {
  if (!job) throw pathNotFound();
  if (!token || !isSame(job.tokenDigest, ctx.secrets.digest(token))) {
    return refuseToken(forbidden(), ctx);
  }
  if (job.project.isRemoved) throw forbidden('Project has been deleted!');
  if (job.erasedAt) throw forbidden('Job has been erased!');
  return job;
}

/** Whether any job has this token, in whatever state: it is no guess. */
export const isTokenOfJob = async (
  token: string,
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
): Promise<boolean> => (await db.job.count({ where: { tokenDigest: secrets.digest(token) } })) > 0;

/**
 * Whom the job runs for that speaks by this token; null unless it runs, in a project that has jobs, for
 * somebody who is there (v4-behaviour 4.2).
 */
export async function userOfRunningJob(
  token: string,
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
): Promise<number | null> {
  const job = await db.job.findUnique({
    relationLoadStrategy: 'join',
    where: { tokenDigest: secrets.digest(token) },
    select: {
      userId: true,
      status: true,
      project: { select: { isRemoved: true, jobsEnabled: true } },
    },
  });
  const isGood = job?.status === 'running' && job.project.jobsEnabled && !job.project.isRemoved;
  return isGood ? job.userId : null;
}
