import type { Prisma } from '../../prisma/client.ts';
import type { CiFile, CiJob } from '../ci-config/ci-file.ts';
import { jobsTooLarge, maxJobCharacters } from '../ci-config/job-limits.ts';
import { firstIndexes } from '../ci-config/relations.ts';
import { jobsOfFile, type PipelineContext } from './jobs-of-file.ts';

/** Maximum jobs per pipeline; no legitimate one has more. */
const maxJobs = 1_000;

export interface JobDraft {
  readonly name: string;
  readonly stage: string;
  readonly stageIndex: number;
  readonly when: string;
  readonly isAllowedToFail: boolean;
  readonly retriesLeft: number;
  readonly tags: string[];
  readonly definition: Prisma.InputJsonValue;
}

/** PostgreSQL cannot store NUL and lone surrogates, which JSON escapes like this. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** The jobs that a file defines for a pipeline context, or why there are none. */
export function draftJobs(
  file: CiFile,
  pipelineContext: PipelineContext,
): { readonly drafts: readonly JobDraft[] } | { readonly problem: string } {
  const checked = checkedJobs(file, pipelineContext);
  if ('problem' in checked) return checked;
  const indexes = firstIndexes(file.stages);
  return { drafts: checked.jobs.map((job) => draftOf(job, indexes)) };
}

/** The jobs for a pipeline context, or of the whole file, within the limits of a pipeline. */
export function checkedJobs(
  file: CiFile,
  pipelineContext: PipelineContext | null,
): { readonly jobs: readonly CiJob[] } | { readonly problem: string } {
  const jobs = pipelineContext ? jobsOfFile(file, pipelineContext) : file.jobs;
  if (jobs === null) return { problem: 'The patterns of only and except take too long' };
  if (jobs.length > maxJobs) return { problem: `Too many jobs (maximum is ${maxJobs})` };
  let remaining = maxJobCharacters;
  for (const part of [file.stages, ...jobs]) {
    const written = JSON.stringify(part);
    remaining -= written.length;
    if (remaining < 0) return { problem: jobsTooLarge };
    if (unstorable.test(written)) return { problem: 'The file has characters that are no text' };
  }
  return { jobs };
}

const draftOf = (job: CiJob, stageIndexes: ReadonlyMap<string, number>): JobDraft => ({
  name: job.name,
  stage: job.stage,
  stageIndex: stageIndexes.get(job.stage) ?? -1,
  when: job.when,
  isAllowedToFail: job.isAllowedToFail,
  retriesLeft: job.retries,
  tags: [...job.tags],
  definition: job as unknown as Prisma.InputJsonValue,
});
