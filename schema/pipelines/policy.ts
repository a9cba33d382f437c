import { Access } from '../kernel/access.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { canPushCode, type ProjectTraits } from '../projects/policy.ts';
import { type BranchRule, refusalOf } from '../repository/push-rules.ts';

/** What a rule on pipelines looks at besides the viewer's level in their project. */
export interface PipelineTraits {
  /** Whoever sees the project sees what runs in it. */
  readonly publicJobs: boolean;
}

/** Reporters, and everybody who sees the project where jobs are public (v4-behaviour 1.10). */
export const canSeePipelines = (level: Access, { publicJobs }: PipelineTraits): boolean =>
  level >= Access.reporter || publicJobs;

/** The same of those who are signed in: nobody else is told of pipelines by themselves. */
export const canReadPipelines = (
  viewer: Viewer | null,
  level: Access,
  traits: PipelineTraits,
): boolean => viewer !== null && canSeePipelines(level, traits);

/** Made, tried again and canceled by developers; nothing runs for an archived project. */
export const canRunPipelines = (level: Access, project: ProjectTraits): boolean =>
  canPushCode(level, project);

/** Stands for commits that are there, whichever they are. */
const some = 'f'.repeat(40);

/** Whoever may push to a branch, or merge into it, may run what it asks for (v4-behaviour 2.2). */
export function canRunOnBranch(
  branch: string,
  level: Access,
  project: ProjectTraits & { readonly defaultBranch: string | null },
  rules: readonly BranchRule[],
): boolean {
  const change = { ref: `refs/heads/${branch}`, before: some, after: some, isForced: false };
  const situation = { level, defaultBranch: project.defaultBranch, rules, protection: 0 };
  return canPushCode(level, project) && refusalOf({ ...change, isMerge: true }, situation) === null;
}
