import type { Prisma } from '../../prisma/client.ts';
import type { CiFile, CiJob } from '../ci-config/ci-file.ts';
import { jobsOfFile, type PipelineContext } from './jobs-of-file.ts';

/** Maximum jobs per pipeline; no legitimate one has more. */
const maxJobs = 1_000;

/** Maximum characters of all jobs together: each repeats the variables of the file. */
const maxCharacters = 8 * 2 ** 20;

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
  return { drafts: checked.jobs.map((job) => draftOf(job, file.stages)) };
}

/** The jobs for a pipeline context, or of the whole file, within the limits of a pipeline. */
export function checkedJobs(
  file: CiFile,
  pipelineContext: PipelineContext | null,
): { readonly jobs: readonly CiJob[] } | { readonly problem: string } {
  const jobs = pipelineContext ? jobsOfFile(file, pipelineContext) : file.jobs;
  if (jobs === null) return { problem: 'The patterns of only and except take too long' };
  if (jobs.length > maxJobs) return { problem: `Too many jobs (maximum is ${maxJobs})` };
  let remaining = maxCharacters;
  for (const part of [file.stages, ...jobs]) {
    const written = JSON.stringify(part);
    remaining -= written.length;
    if (remaining < 0) return { problem: 'The jobs are too large together' };
    if (unstorable.test(written)) return { problem: 'The file has characters that are no text' };
  }
  return { jobs };
}

const draftOf = (job: CiJob, stages: readonly string[]): JobDraft => ({
  name: job.name,
  stage: job.stage,
  stageIndex: stages.indexOf(job.stage),
  when: job.when,
  isAllowedToFail: job.isAllowedToFail,
  retriesLeft: job.retries,
  tags: [...job.tags],
  definition: job as unknown as Prisma.InputJsonValue,
});
