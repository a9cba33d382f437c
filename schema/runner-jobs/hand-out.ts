import { randomBytes } from 'node:crypto';
import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, forbidden } from '../kernel/errors.ts';
import { isGone, transact } from '../kernel/storage-errors.ts';
import { moveJob } from '../pipelines/move-job.ts';
import {
  type HeldPipeline,
  holdForStart,
  type MovableJob,
  startHeld,
} from '../pipelines/start-job.ts';
import type { KnownRunner } from '../ports/known-runners.ts';
import { lookupRunnerByToken } from '../runners/find.ts';
import { type RunnerInfo, touchRunner } from '../runners/touch.ts';
import { claimJob, isAnyWaiting } from './candidates.ts';
import { type JobOffer, readOffer } from './offer.ts';

export interface JobRequest {
  /** The runner's own. */
  readonly token: string;
  readonly info: RunnerInfo;
  /** What it was told when there was nothing. */
  readonly lastUpdate?: string | null | undefined;
}

export interface HandOut {
  /** To be said with the next request. */
  readonly lastUpdate: string;
  /** Null: there is nothing to do. */
  readonly job: JobOffer | null;
}

/** How often somebody else may be faster. */
const mostTries = 5;

/**
 * Gives a runner the next job that it takes, which from then on is its own and nobody else's
 * (v4-behaviour 3.12). One that was told that nothing waits, and about which nothing has changed since,
 * waits until something does. Refuses an unknown token as forbidden, and as a conflict whoever is
 * outrun again and again.
 */
export async function requestJob(asked: JobRequest, ctx: Context): Promise<HandOut> {
  const { jobNews, request } = ctx;
  let runner = await recallRunner(asked.token, ctx);
  runner.contactedAt = await touchRunner(runner, asked.info, ctx.db);
  if (asked.lastUpdate && asked.lastUpdate === jobNews.current) {
    await jobNews.otherThan(asked.lastUpdate, request.signal);
    if (asked.lastUpdate === jobNews.current || request.signal?.aborted) {
      return { lastUpdate: asked.lastUpdate, job: null };
    }
    // it may have been paused or removed meanwhile
    runner = await recallRunner(asked.token, ctx);
  }
  for (let tries = 0; tries < mostTries; tries += 1) {
    const lastUpdate = jobNews.current;
    const isWorthIt = runner.isActive && (runner.isInLuck || (await isAnyWaiting(ctx.db, runner)));
    if (!isWorthIt) return { lastUpdate, job: null };
    const found = await handOut(runner, ctx);
    runner.isInLuck = found !== null;
    if (found === null) {
      // nobody is told the latter: the next request looks again, whatever has changed
      const isOver = !(await isAnyWaiting(ctx.db, runner));
      return { lastUpdate: isOver ? lastUpdate : `${lastUpdate}-again`, job: null };
    }
    if (found !== 'outrun') return { lastUpdate, job: found };
  }
  throw conflict('409 Conflict');
}

async function recallRunner(token: string, ctx: Context): Promise<KnownRunner> {
  const runner = await ctx.knownRunners.recall(token, () => lookupRunnerByToken(token, ctx));
  if (!runner) throw forbidden();
  return runner;
}

/** Null: others are being given all there is; `outrun`: somebody else was faster. */
async function handOut(runner: KnownRunner, ctx: Context): Promise<JobOffer | 'outrun' | null> {
  const token = randomBytes(15).toString('hex');
  try {
    const found = await transact(ctx.db, async (tx): Promise<Found> => {
      const claim = await claimUndisturbed(tx, runner);
      if (!claim) return null;
      const pipeline = claim.pipeline ?? (await holdForStart(tx, claim.job.pipelineId, true));
      const make = pipeline && (await readOffer(tx, claim.job.id, { runner, token }, ctx));
      if (!make) return 'outrun';
      const offer = attempt(make);
      if (!offer) return { unreadable: claim.job };
      const details = {
        runnerId: runner.id,
        tokenDigest: ctx.secrets.digest(token),
        tokenSealed: ctx.secrets.seal(token),
        heardAt: new Date(),
      };
      return (await startHeld(tx, pipeline, claim.job, details, ctx)) ? offer : 'outrun';
    });
    if (found === null || found === 'outrun' || !('unreadable' in found)) return found;
    // it would stand in everybody's way for ever
    const details = { failure: 'unknown_failure' } as const;
    await transact(ctx.db, (tx) => moveJob(tx, found.unreadable, 'failed', details, ctx));
    return 'outrun';
  } catch (error) {
    // the runner is gone
    if (isGone(error)) throw forbidden();
    throw error;
  }
}

/** `unreadable`: what was kept of it cannot be read, as when the instance's key is another one. */
type Found = JobOffer | 'outrun' | { readonly unreadable: MovableJob } | null;

function attempt(make: () => JobOffer): JobOffer | null {
  try {
    return make();
  } catch {
    return null;
  }
}

interface Claim {
  readonly job: MovableJob;
  /** Null: somebody changes it at the moment, and has to be waited for. */
  readonly pipeline: HeldPipeline | null;
}

/** How many pipelines are passed over that somebody changes at the moment. */
const mostPassed = 3;

/** A job for the runner, if there is one, of a pipeline that need not be waited for. */
async function claimUndisturbed(tx: Transaction, runner: KnownRunner): Promise<Claim | null> {
  let first: MovableJob | null = null;
  const busy: number[] = [];
  while (busy.length < mostPassed) {
    const job = await claimJob(tx, runner, busy);
    if (!job) break;
    const pipeline = await holdForStart(tx, job.pipelineId, false);
    if (pipeline) return { job, pipeline };
    first ??= job;
    busy.push(job.pipelineId);
  }
  return first && { job: first, pipeline: null };
}
