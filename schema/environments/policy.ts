import { Access } from '../kernel/access.ts';
import { canRunPipelines } from '../pipelines/policy.ts';
import type { ProjectTraits } from '../projects/policy.ts';

/** The facts of a project that rules on environments need besides the viewer's level. */
export interface EnvironmentTraits extends ProjectTraits {
  readonly jobsEnabled: boolean;
}

/** Environments and deployments: reporters. */
export const canSeeEnvironments = (
  level: Access,
  { jobsEnabled }: Pick<EnvironmentTraits, 'jobsEnabled'>,
): boolean => jobsEnabled && level >= Access.reporter;

/** Developers; so they may stop an environment by the job that they may start. */
export const canCreateEnvironments = (level: Access, project: EnvironmentTraits): boolean =>
  project.jobsEnabled && canRunPipelines(level, project);

/** Changing, deleting, and stopping without a job. */
export const canChangeEnvironments = (level: Access, project: EnvironmentTraits): boolean =>
  canCreateEnvironments(level, project) && level >= Access.master;
