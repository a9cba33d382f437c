import type { Context } from '../kernel/context.ts';
import { DomainError } from '../kernel/errors.ts';
import type { CiStatus } from '../pipelines/status.ts';
import { isFinished } from '../pipelines/status.ts';
import { findTracedJob, secretsOf, type TracedJob } from './job-by-token.ts';

type Parts = Pick<Context, 'db' | 'jobFiles' | 'secrets' | 'request' | 'signInLimits'>;

/** Bytes that a trace may have. */
export const longestTrace = 100 * 2 ** 20;

/** Milliseconds; a runner that is silent for much longer is given up. */
const noted = 60_000;

export interface TraceAppended {
  /** Bytes that are kept by now. */
  readonly size: number;
  /** False: nothing was written, for the trace does not end where the piece begins. */
  readonly isInPlace: boolean;
  /** What the job is by now: its runner stops when it was canceled. */
  readonly status: CiStatus;
}

export const tooLarge = () =>
  new DomainError('INVALID', 'Request Entity Too Large', { reason: 'too-large' });

/** Where a piece of a trace begins. */
export interface Piece {
  /** `start-end` as the runner says it, whether the end is within the piece or behind it. */
  readonly range: string | null | undefined;
  readonly bytes: Uint8Array;
}

/**
 * Appends to the trace of a job what its runner, which shows the job's token, sends of it, also when
 * the job has ended meanwhile (v4-behaviour 3.12). Refuses a piece without its range, and more than a
 * trace may hold. What stands in the answer as kept is on the disk.
 */
export async function appendTrace(
  id: number,
  token: string | null | undefined,
  { range, bytes }: Piece,
  parts: Parts,
): Promise<TraceAppended> {
  const job = await findTracedJob(id, token, parts);
  const start = startOf(range);
  if (start + bytes.length > longestTrace) throw tooLarge();
  const secrets = secretsOf(job, token ?? '', parts.secrets);
  const { size, isInPlace } = await parts.jobFiles.appendTrace(job, start, bytes, secrets);
  await note(job, size, parts);
  return { size, isInPlace, status: job.status };
}

/** The first number counts; the other is the end in older programs and the last byte in newer ones. */
function startOf(range: string | null | undefined): number {
  if (!range) throw refusedRange('400 Missing header Content-Range');
  const start = /^(?:bytes[ =])?(\d{1,12})-(\d{0,12})(?:\/(?:\d+|\*))?$/.exec(range.trim())?.[1];
  if (start === undefined) throw refusedRange('400 Invalid header Content-Range');
  return Number(start);
}

const refusedRange = (message: string) => new DomainError('INVALID', message, { reason: 'range' });

/** Now and then the record follows: that the runner was heard of, and how much there is. */
async function note(job: TracedJob, size: number, { db }: Pick<Parts, 'db'>): Promise<void> {
  const isKnown = isFinished(job.status) ? job.traceSize === size : job.traceSize > 0;
  const isFresh = job.heardAt !== null && Date.now() - job.heardAt.getTime() < noted;
  if (isKnown && (isFresh || isFinished(job.status))) return;
  await db.$executeRaw`
    UPDATE jobs SET heard_at = greatest(now(), started_at + interval '1 minute'),
      trace_size = greatest(trace_size, ${size})
    WHERE id = ${job.id} AND erased_at IS NULL`;
}
