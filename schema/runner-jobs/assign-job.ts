import { randomBytes } from 'node:crypto';
import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, forbidden } from '../kernel/errors.ts';
import { isRecordMissing, transact } from '../kernel/storage-errors.ts';
import { refuseToken } from '../oauth/wrong-token.ts';
import { moveJob } from '../pipelines/move-job.ts';
import { returnJob } from '../pipelines/return-job.ts';
import {
  type HeldPipeline,
  holdForStart,
  type MovableJob,
  startHeld,
} from '../pipelines/start-job.ts';
import type { CachedRunner } from '../ports/runner-cache.ts';
import { lookupRunnerByToken } from '../runners/find.ts';
import { type RunnerInfo, touchRunner } from '../runners/touch.ts';
import { assignAtOnce } from './assign-at-once.ts';
import { claimJob, isAnyWaiting } from './candidates.ts';
import { recordEnvironment } from './job-environment.ts';
import { type JobOffer, type Offered, offerOf } from './offer.ts';
import { type OfferSources, readWaiting } from './offer-sources.ts';

export interface JobRequest {
  /** The runner's token. */
  readonly token: string;
  readonly info: RunnerInfo;
  /** The value of the last response without a job. */
  readonly lastUpdate?: string | null | undefined;
}

export interface JobRequestResult {
  /** The value for the next request's `lastUpdate`; null with a job: other jobs may be pending. */
  readonly lastUpdate: string | null;
  /** Null: no job is available. */
  readonly job: JobOffer | null;
}

/** Retries after losing a job to another runner. */
const maxAttempts = 5;

/**
 * Assigns a runner its next job (v4-behaviour 3.12). If `lastUpdate` is still current, waits until
 * a job changes. Throws `forbidden` for an unknown token, and `conflict` after losing to other
 * runners repeatedly.
 */
export async function requestJob(input: JobRequest, ctx: Context): Promise<JobRequestResult> {
  const { jobNews, request } = ctx;
  let runner = await recallRunner(input.token, ctx);
  runner.contactedAt = await touchRunner(runner, input.info, ctx.db);
  if (input.lastUpdate && input.lastUpdate === jobNews.current) {
    await jobNews.otherThan(input.lastUpdate, request.signal);
    if (input.lastUpdate === jobNews.current || request.signal?.aborted) {
      return { lastUpdate: input.lastUpdate, job: null };
    }
    // it may have been paused or removed in the meantime
    runner = await recallRunner(input.token, ctx);
  }
  for (let tries = 0; tries < maxAttempts; tries += 1) {
    const lastUpdate = jobNews.current;
    const isWorthIt =
      runner.isActive && (runner.gotJobLastTime || (await isAnyWaiting(ctx.db, runner)));
    if (!isWorthIt) return { lastUpdate, job: null };
    const assignment = await assignJob(runner, ctx);
    runner.gotJobLastTime = assignment !== null;
    if (assignment === null) {
      // a value that is never current: the next request does not wait
      const isOver = !(await isAnyWaiting(ctx.db, runner));
      return { lastUpdate: isOver ? lastUpdate : `${lastUpdate}-again`, job: null };
    }
    if (assignment === 'outrun') continue;
    const { offer: first, sources } = assignment;
    const pipelineId = sources.pipeline.id;
    const offer = await recordEnvironment(sources, first, { runner, token: first.token }, ctx);
    // runner programs send back the last value they received, so that one would hold the next
    // request
    if (!request.signal?.aborted) return { lastUpdate: null, job: offer };
    // the runner has disconnected: another one may get the job
    const given = { tokenDigest: ctx.secrets.digest(offer.token) };
    await transact(ctx.db, (tx) => returnJob(tx, { id: offer.id, pipelineId }, given, ctx));
    return { lastUpdate, job: null };
  }
  throw conflict('409 Conflict');
}

async function recallRunner(token: string, ctx: Context): Promise<CachedRunner> {
  const runner = await ctx.runnerCache.recall(token, () => lookupRunnerByToken(token, ctx));
  return runner ?? refuseToken(forbidden(), ctx);
}

interface Assignment {
  readonly offer: JobOffer;
  readonly sources: OfferSources;
}

/** Null: other runners are getting all available jobs; `outrun`: another runner was faster. */
async function assignJob(
  runner: CachedRunner,
  ctx: Context,
): Promise<Assignment | 'outrun' | null> {
  const offered = { runner, token: randomBytes(15).toString('hex') };
  const details = {
    runnerId: runner.id,
    tokenDigest: ctx.secrets.digest(offered.token),
    tokenSealed: ctx.secrets.seal(offered.token),
    heardAt: new Date(),
  };
  try {
    const given = await assignAtOnce(ctx.db, runner, details);
    const result = given
      ? readOffer(given, offered, ctx)
      : await transact(ctx.db, async (tx): Promise<Found> => {
          const claim = await claimUncontended(tx, runner);
          if (!claim) return null;
          const pipeline = claim.pipeline ?? (await holdForStart(tx, claim.job.pipelineId, true));
          const sources = pipeline && (await readWaiting(tx, claim.job.id));
          if (!sources) return 'outrun';
          const read = readOffer(sources, offered, ctx);
          if ('unassignable' in read) return read;
          const startedAt = new Date();
          const timeout = sources.project.buildTimeout * 1_000;
          const deadlineAt = new Date(startedAt.getTime() + timeout);
          const start = { ...details, startedAt, deadlineAt };
          return (await startHeld(tx, pipeline, claim.job, start, ctx)) ? read : 'outrun';
        });
    if (result === null || result === 'outrun' || !('unassignable' in result)) return result;
    // it would block the queue for ever; no runner has received it
    const { unassignable: job, status, failure } = result;
    const unassigned = {
      runnerId: null,
      tokenDigest: null,
      tokenSealed: null,
      heardAt: null,
      startedAt: null,
      deadlineAt: null,
      ...(failure && { failure }),
    };
    await transact(ctx.db, (tx) => moveJob(tx, job, status, unassigned, ctx));
    return 'outrun';
  } catch (error) {
    // the runner was removed
    if (isRecordMissing(error)) throw forbidden();
    throw error;
  }
}

/** A job that no runner may get, and the status that it gets instead. */
interface Unassignable {
  readonly unassignable: MovableJob;
  readonly status: 'canceled' | 'failed';
  readonly failure?: 'unknown_failure';
}

type Found = Assignment | 'outrun' | Unassignable | null;

/**
 * A job of a user who is blocked or deleted is canceled: other users may retry it in their own name. A
 * job fails whose sealed values cannot be opened, for example after the instance's key was replaced.
 */
function readOffer(
  sources: OfferSources,
  offered: Offered,
  ctx: Context,
): Assignment | Unassignable {
  const unassignable = { id: sources.id, pipelineId: sources.pipeline.id };
  if (sources.user?.state !== 'active') return { unassignable, status: 'canceled' };
  try {
    return { offer: offerOf(sources, offered, ctx), sources };
  } catch {
    return { unassignable, status: 'failed', failure: 'unknown_failure' };
  }
}

interface Claim {
  readonly job: MovableJob;
  /** Null: another transaction is changing the pipeline, and must be waited for. */
  readonly pipeline: HeldPipeline | null;
}

/** How many pipelines to skip while other transactions are changing them. */
const maxSkippedPipelines = 3;

/** A job for the runner, preferably of a pipeline that is not locked. */
async function claimUncontended(tx: Transaction, runner: CachedRunner): Promise<Claim | null> {
  let first: MovableJob | null = null;
  const busy: number[] = [];
  while (busy.length < maxSkippedPipelines) {
    const job = await claimJob(tx, runner, busy);
    if (!job) break;
    const pipeline = await holdForStart(tx, job.pipelineId, false);
    if (pipeline) return { job, pipeline };
    first ??= job;
    busy.push(job.pipelineId);
  }
  return first && { job: first, pipeline: null };
}
