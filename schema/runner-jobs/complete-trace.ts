import { buffer } from 'node:stream/consumers';
import type { Context } from '../kernel/context.ts';
import { isFinished } from '../pipelines/status.ts';
import type { JobPlace } from '../ports/job-files.ts';
import { maxTraceBytes, tooLarge } from './append-trace.ts';
import { secretsOf } from './job-by-token.ts';
import { type TracedJob, whileOpen } from './reopen-trace.ts';

type Parts = Pick<Context, 'db' | 'jobFiles' | 'recordNews' | 'secrets'>;

/**
 * Completes a trace from `whole`, which its runner sends at the end: appends what is missing.
 * `token` is the job's, already verified.
 */
export async function completeTrace(
  job: TracedJob,
  token: string,
  whole: string,
  { db, jobFiles, recordNews, secrets }: Parts,
): Promise<void> {
  const bytes = Buffer.from(whole);
  if (bytes.length > maxTraceBytes) throw tooLarge();
  const project = await db.project.findUnique({
    where: { id: job.projectId },
    select: { runnersTokenSealed: true },
  });
  const hidden = project ? secretsOf(project, token, secrets) : [token];
  // a concurrent append is a part of it too
  const isGrowing = !isFinished(job.status);
  for (let size = await jobFiles.traceSize(job, isGrowing); size < bytes.length; ) {
    const start = bytes.includes(stray) ? await startOfRest(job, bytes, jobFiles) : size;
    if (start >= bytes.length) return;
    const append = () => jobFiles.appendTrace(job, size, bytes.subarray(start), hidden);
    const appended = await whileOpen(job, append, { db, jobFiles });
    if (appended.isInPlace) return recordNews.announceTrace(job.id);
    size = appended.size;
  }
}

/** JSON replaces an invalid byte with U+FFFD, which has three bytes. */
const stray = Buffer.from('\ufffd');

/**
 * Where the rest starts in the whole text, if the stored part, which may contain invalid bytes, is
 * its beginning.
 */
async function startOfRest(
  job: JobPlace,
  whole: Buffer,
  jobFiles: Parts['jobFiles'],
): Promise<number> {
  const opened = await jobFiles.openTrace(job);
  const kept = opened ? await buffer(opened.content) : Buffer.alloc(0);
  const isStray = (bytes: Buffer, at: number) =>
    bytes.subarray(at, at + stray.length).equals(stray);
  let start = 0;
  for (let at = 0; at < kept.length; at += 1) {
    const isOneForThree = whole[start] === stray[0] && isStray(whole, start) && !isStray(kept, at);
    start += isOneForThree ? stray.length : 1;
  }
  return start;
}
