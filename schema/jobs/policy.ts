import { Access } from '../kernel/access.ts';
import { canRunOnRef, canRunPipelines } from '../pipelines/policy.ts';
import { type CiStatus, isFinished } from '../pipelines/status.ts';
import type { ProjectTraits } from '../projects/policy.ts';
import type { RefRules } from '../repository/push-rules.ts';

/** The facts of a job that decide which changes are possible, for any user. */
export interface JobTraits {
  readonly status: CiStatus;
  /** `on_success`, `on_failure`, `always` or `manual`. */
  readonly when: string;
  readonly isRetried: boolean;
  /** Bytes. */
  readonly traceSize: number;
  readonly artifactsFile: string | null;
}

/** Finished, and not replaced by a later row. */
export const isRetryable = ({ status, isRetried }: JobTraits): boolean =>
  isFinished(status) && !isRetried;

/** Unfinished (v4-behaviour 5.2). */
export const isCancelable = ({ status, isRetried }: JobTraits): boolean =>
  !isFinished(status) && status !== 'skipped' && !isRetried;

/** Can be started manually: for the first time, or again. */
export const isPlayable = (job: JobTraits): boolean =>
  job.when === 'manual' && !job.isRetried && (job.status === 'manual' || isFinished(job.status));

/** Finished, with a trace or artifacts. */
export const isErasable = ({ status, traceSize, artifactsFile }: JobTraits): boolean =>
  isFinished(status) && (traceSize > 0 || artifactsFile !== null);

/** The facts of a job's project that the rules on changes need. */
export interface JobPermissionFacts {
  readonly level: Access;
  readonly project: ProjectTraits & {
    readonly jobsEnabled: boolean;
    readonly defaultBranch: string | null;
  };
  readonly rules: RefRules;
}

/** Developers with access to the branch or tag it ran for (v4-behaviour 2.2, 3.9). */
export const canChangeJob = (
  { ref, isTag }: { readonly ref: string; readonly isTag: boolean },
  { level, project, rules }: JobPermissionFacts,
): boolean =>
  project.jobsEnabled &&
  canRunPipelines(level, project) &&
  canRunOnRef({ name: ref, isTag }, level, project, rules);

/** Deletes trace and artifacts permanently: allowed for the job's user and masters. */
export const canEraseJobs = (viewerId: number, level: Access, userId: number | null): boolean =>
  level >= Access.master || userId === viewerId;
