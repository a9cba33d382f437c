import { text } from 'node:stream/consumers';
import type { Context } from '../kernel/context.ts';
import { DomainError } from '../kernel/errors.ts';
import { measureTask } from '../pipelines/patterns.ts';
import type { JobPlace } from '../ports/job-files.ts';

type Parts = Pick<Context, 'db' | 'jobFiles' | 'workers'>;

/** Bytes at the end of a trace that are searched for coverage. */
const maxScannedBytes = 2 ** 20;

/** The columns that describe a finished job's trace. */
export interface TraceSummary {
  /** Bytes. */
  readonly traceSize: number;
  /** Per cent; null: no coverage. */
  readonly coverage: number | null;
}

/**
 * The size of a job's trace, and the coverage from its last line that matches the job's pattern
 * (v4-behaviour 5.1, `coverage`).
 */
export async function traceSummary(job: JobPlace, parts: Parts): Promise<TraceSummary> {
  const traceSize = await parts.jobFiles.traceSize(job, true);
  const coverage = traceSize > 0 ? await coverageOfTrace(job, traceSize, parts) : null;
  return { traceSize, coverage };
}

async function coverageOfTrace(
  job: JobPlace,
  size: number,
  { db, jobFiles, workers }: Parts,
): Promise<number | null> {
  const row = await db.job.findUnique({ where: { id: job.id }, select: { definition: true } });
  const definition = row?.definition as { readonly coverage?: string | null } | undefined;
  const pattern = definition?.coverage;
  if (!pattern) return null;
  const trace = await jobFiles.openTrace(job, Math.max(0, size - maxScannedBytes));
  if (!trace) return null;
  const input = { pattern, text: await text(trace.content) };
  return workers.run(measureTask, input, { projectId: job.projectId }).catch((error: unknown) => {
    // a job also ends when coverage cannot be measured
    if (error instanceof DomainError && error.reason === 'too-costly') return null;
    throw error;
  });
}
