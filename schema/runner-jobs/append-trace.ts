import type { Context } from '../kernel/context.ts';
import { DomainError } from '../kernel/errors.ts';
import type { CiStatus } from '../pipelines/status.ts';
import { isFinished } from '../pipelines/status.ts';
import type { AppendResult } from '../ports/job-files.ts';
import { findTracedJob, secretsOf, type TracedJob } from './job-by-token.ts';
import { whileOpen } from './reopen-trace.ts';

type Parts = Pick<
  Context,
  'db' | 'jobFiles' | 'recordNews' | 'secrets' | 'request' | 'signInLimits'
>;

/** Maximum bytes of a trace. */
export const maxTraceBytes = 100 * 2 ** 20;

/** Milliseconds between two updates of `heardAt`, by which silent jobs are failed. */
const heardInterval = 60_000;

export interface TraceAppended extends AppendResult {
  /** The job's current status; its runner stops when it was canceled. */
  readonly status: CiStatus;
}

export const tooLarge = () =>
  new DomainError('INVALID', 'Request Entity Too Large', { reason: 'too-large' });

/** The range of a piece. */
export interface Piece {
  /** `start-end` as the runner sends it; the end may be inclusive or exclusive. */
  readonly range: string | null | undefined;
  readonly bytes: Uint8Array;
}

/**
 * Appends a piece to a job's trace, authenticated by the job token; the job may have ended
 * (v4-behaviour 3.12). Throws on a missing range, and when the trace would be too long. The stored
 * size in the response is on the disk.
 */
export async function appendTrace(
  id: number,
  token: string | null | undefined,
  { range, bytes }: Piece,
  parts: Parts,
): Promise<TraceAppended> {
  const job = await findTracedJob(id, token, parts);
  const start = startOf(range);
  if (start + bytes.length > maxTraceBytes) throw tooLarge();
  const secrets = secretsOf(job, token ?? '', parts.secrets);
  const append = () => parts.jobFiles.appendTrace(job, start, bytes, secrets);
  const { size, isInPlace } = await whileOpen(job, append, parts);
  if (isInPlace && bytes.length > 0) parts.recordNews.announceTrace(job.id);
  await note(job, size, parts);
  return { size, isInPlace, status: job.status };
}

/** Only the start counts; the end is exclusive in older programs and inclusive in newer ones. */
function startOf(range: string | null | undefined): number {
  if (!range) throw refusedRange('400 Missing header Content-Range');
  const start = /^(?:bytes[ =])?(\d{1,12})-(\d{0,12})(?:\/(?:\d+|\*))?$/.exec(range.trim())?.[1];
  if (start === undefined) throw refusedRange('400 Invalid header Content-Range');
  return Number(start);
}

const refusedRange = (message: string) => new DomainError('INVALID', message, { reason: 'range' });

/** Updates the record occasionally: the last contact of the runner, and the size. */
async function note(job: TracedJob, size: number, { db }: Pick<Parts, 'db'>): Promise<void> {
  const isKnown = isFinished(job.status) ? job.traceSize === size : job.traceSize > 0;
  const isFresh = job.heardAt !== null && Date.now() - job.heardAt.getTime() < heardInterval;
  if (isKnown && (isFresh || isFinished(job.status))) return;
  await db.$executeRaw`
    UPDATE jobs SET heard_at = greatest(now(), started_at + interval '1 minute'),
      trace_size = greatest(trace_size, ${size})
    WHERE id = ${job.id} AND erased_at IS NULL`;
}
