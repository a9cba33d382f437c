import { Access } from '../kernel/access.ts';
import { canRunOnBranch, canRunPipelines } from '../pipelines/policy.ts';
import { type CiStatus, isFinished } from '../pipelines/status.ts';
import type { ProjectTraits } from '../projects/policy.ts';
import type { BranchRule } from '../repository/push-rules.ts';

/** What of a job decides on what may be done with it, whoever asks. */
export interface JobTraits {
  readonly status: CiStatus;
  /** `on_success`, `on_failure`, `always` or `manual`. */
  readonly when: string;
  readonly isRetried: boolean;
  /** Bytes. */
  readonly traceSize: number;
  readonly artifactsFile: string | null;
}

/** It has ended, and no later row has taken its place. */
export const isRetryable = ({ status, isRetried }: JobTraits): boolean =>
  isFinished(status) && !isRetried;

/** It has not ended (v4-behaviour 5.2). */
export const isCancelable = ({ status, isRetried }: JobTraits): boolean =>
  !isFinished(status) && status !== 'skipped' && !isRetried;

/** Somebody starts it by hand: for the first time, or again. */
export const isPlayable = (job: JobTraits): boolean =>
  job.when === 'manual' && !job.isRetried && (job.status === 'manual' || isFinished(job.status));

/** It has ended, and something of it is kept. */
export const isErasable = ({ status, traceSize, artifactsFile }: JobTraits): boolean =>
  isFinished(status) && (traceSize > 0 || artifactsFile !== null);

/** Where a job is, as the rules on changes look at it. */
export interface JobPermissionFacts {
  readonly level: Access;
  readonly project: ProjectTraits & {
    readonly jobsEnabled: boolean;
    readonly defaultBranch: string | null;
  };
  readonly rules: readonly BranchRule[];
}

/** Developers who may change what the job has run for (v4-behaviour 2.2, 3.9). */
export const canChangeJob = (
  { ref, isTag }: { readonly ref: string; readonly isTag: boolean },
  { level, project, rules }: JobPermissionFacts,
): boolean =>
  project.jobsEnabled &&
  canRunPipelines(level, project) &&
  (isTag || canRunOnBranch(ref, level, project, rules));

/** Its trace and artifacts are gone for good then: whoever it ran for, and masters. */
export const canEraseJobs = (viewerId: number, level: Access, userId: number | null): boolean =>
  level >= Access.master || userId === viewerId;
