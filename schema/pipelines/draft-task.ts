import { readCiFile } from '../ci-config/read.ts';
import { isSmallCiFile } from '../ci-config/read-task.ts';
import type { WorkerTask } from '../ports/worker-pool.ts';
import { draftJobs, type JobDraft } from './job-drafts.ts';
import type { PipelineContext } from './jobs-of-file.ts';

interface DraftInput {
  /** The text of a CI file. */
  readonly text: string;
  readonly pipelineContext: PipelineContext;
}

/** The stages of a CI file and the jobs that run in a pipeline context, or why there are none. */
export type PipelineDraft =
  | { readonly stages: readonly string[]; readonly drafts: readonly JobDraft[] }
  | { readonly problem: string };

/** Parses and checks a CI file, and selects its jobs. Worker threads import it by its name. */
export function draftPipeline({ text, pipelineContext }: DraftInput): PipelineDraft {
  const read = readCiFile(text);
  if ('problem' in read) return read;
  const drafted = draftJobs(read.file, pipelineContext);
  return 'problem' in drafted ? drafted : { ...drafted, stages: read.file.stages };
}

/** Without these words, and without escapes that could hide them, a file has no patterns to match. */
const mayHavePatterns = /only|except|\\/;

/** Whether a file is certain to take less than a few milliseconds, with the selection of its jobs. */
export const isSmallDraft = (text: string): boolean =>
  isSmallCiFile(text) && !mayHavePatterns.test(text);

export const draftTask: WorkerTask<DraftInput, PipelineDraft> = {
  kind: 'pipeline',
  subject: 'The CI file',
  module: import.meta.url,
  work: draftPipeline,
  timeLimit: 5_000,
  isSmall: ({ text }) => isSmallDraft(text),
};
