import type { CiJob } from '../ci-config/ci-file.ts';
import { mergedYaml } from '../ci-config/merged-yaml.ts';
import { beforeScriptOf, readCiMapping } from '../ci-config/read.ts';
import type { Mapping } from '../ci-config/yaml.ts';
import type { WorkerTask } from '../ports/worker-pool.ts';
import { isSmallDraft } from './draft-task.ts';
import { checkedJobs } from './job-drafts.ts';
import type { PipelineContext } from './jobs-of-file.ts';

interface LintInput {
  /** The text of a CI file. */
  readonly text: string;
  /** Selects the jobs that would run; null: all jobs of the file. */
  readonly pipelineContext: PipelineContext | null;
}

/** A job of a valid CI file. */
export interface LintedJob
  extends Pick<CiJob, 'name' | 'stage' | 'script' | 'tags' | 'when' | 'isAllowedToFail' | 'only'> {
  readonly beforeScript: readonly string[];
  readonly afterScript: readonly string[];
  /** Null: none. */
  readonly except: readonly string[] | null;
  /** The name of its environment. */
  readonly environment: string | null;
}

/** A CI file that is valid, or its problem. */
export type LintedFile =
  | { readonly mergedYaml: string | null; readonly jobs: readonly LintedJob[] }
  | { readonly problem: string };

/** Checks a CI file and shows what it defines. Worker threads import it by its name. */
export function lintFile({ text, pipelineContext }: LintInput): LintedFile {
  const read = readCiMapping(text);
  if ('problem' in read) return read;
  const { mapping, file } = read;
  const checked = checkedJobs(file, pipelineContext);
  if ('problem' in checked) return checked;
  return {
    mergedYaml: mergedYaml(mapping),
    jobs: checked.jobs.map((job) => lintedJob(job, mapping)),
  };
}

function lintedJob(job: CiJob, mapping: Mapping): LintedJob {
  const { name, stage, script, tags, when, isAllowedToFail, only } = job;
  const beforeScript = beforeScriptOf(name, mapping);
  return {
    ...{ name, stage, tags, when, isAllowedToFail, only, beforeScript },
    script: script.slice(beforeScript.length),
    afterScript: job.afterScript ?? [],
    except: job.except.length > 0 ? job.except : null,
    environment: job.environment?.name ?? null,
  };
}

export const lintTask: WorkerTask<LintInput, LintedFile> = {
  kind: 'ci-lint',
  subject: 'The CI file',
  module: import.meta.url,
  work: lintFile,
  timeLimit: 5_000,
  isSmall: ({ text }) => isSmallDraft(text),
};
