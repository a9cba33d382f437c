import type { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, notFound, pathNotFound, unauthenticated } from '../kernel/errors.ts';
import { refuseToken } from '../oauth/wrong-token.ts';
import type { CiStatus } from '../pipelines/status.ts';
import { projectWhere } from '../projects/find.ts';

/** A job that was authenticated by its token. */
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
 * The job `id`, authenticated by its token, in any status. Throws `not found` for an unknown id,
 * and `forbidden` for another token, an erased job, and a removed project (v4-behaviour 3.12).
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
  const { tokenDigest, project, erasedAt, ...authenticated } = await authenticateJob(
    job,
    token,
    ctx,
  );
  return authenticated;
}

/** The facts of a job that decide whether its token is valid. */
interface Claimed {
  readonly tokenDigest: Uint8Array | null;
  readonly erasedAt: Date | null;
  readonly project: { readonly isRemoved: boolean };
}

/** Checks a job token against a job; throws as `findJobByToken`. */
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

/** Whether any job, in any status, has this token: then it is no guess. */
export const isTokenOfJob = async (
  token: string,
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
): Promise<boolean> => (await db.job.count({ where: { tokenDigest: secrets.digest(token) } })) > 0;

/** A running job with its user. */
export interface RunningJob {
  readonly id: number;
  readonly userId: number;
  readonly projectId: number;
}

/**
 * The job with this token; null unless the job runs, in a project with jobs enabled, for an
 * existing user (v4-behaviour 4.2).
 */
export const runningJobOfToken = (
  token: string,
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
): Promise<RunningJob | null> => findRunningJob({ tokenDigest: secrets.digest(token) }, { db });

/** The same by its id. */
export const runningJobById = (
  id: number,
  { db }: Pick<Context, 'db'>,
): Promise<RunningJob | null> => findRunningJob({ id }, { db });

async function findRunningJob(
  where: Prisma.JobWhereUniqueInput,
  { db }: Pick<Context, 'db'>,
): Promise<RunningJob | null> {
  const job = await db.job.findUnique({
    relationLoadStrategy: 'join',
    where,
    select: {
      id: true,
      userId: true,
      projectId: true,
      status: true,
      project: { select: { isRemoved: true, jobsEnabled: true } },
    },
  });
  const isGood = job?.status === 'running' && job.project.jobsEnabled && !job.project.isRemoved;
  if (!isGood || job.userId === null) return null;
  return { id: job.id, userId: job.userId, projectId: job.projectId };
}

/**
 * The running job with this token, for a request about `project`, an id or a full path. Throws
 * `unauthenticated` for any other token, and `not found` unless the project is the job's own.
 */
export async function findJobOfProject(
  token: string,
  project: string,
  ctx: Pick<Context, 'db' | 'secrets' | 'request' | 'signInLimits'>,
): Promise<RunningJob> {
  const job = await runningJobOfToken(token, ctx);
  if (!job) {
    // the token of a finished job is no guess
    if (await isTokenOfJob(token, ctx)) throw unauthenticated();
    return refuseToken(unauthenticated(), ctx);
  }
  const where = { AND: [projectWhere(project), { id: job.projectId }] };
  if ((await ctx.db.project.count({ where })) === 0) throw notFound('Project');
  return job;
}
