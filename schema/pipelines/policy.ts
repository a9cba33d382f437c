import { Access } from '../kernel/access.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { canPushCode, type ProjectTraits } from '../projects/policy.ts';
import { canPushOrMerge, isTagAllowed, type RefRules } from '../repository/push-rules.ts';

/** The project facts that pipeline rules need besides the viewer's level. */
export interface PipelineTraits {
  /** Whether pipelines are visible to all users who can see the project. */
  readonly publicJobs: boolean;
}

/** Reporters, and with public jobs everyone who can see the project (v4-behaviour 1.10). */
export const canSeePipelines = (level: Access, { publicJobs }: PipelineTraits): boolean =>
  level >= Access.reporter || publicJobs;

/** The same for signed-in users; anonymous users may not list pipelines. */
export const canReadPipelines = (
  viewer: Viewer | null,
  level: Access,
  traits: PipelineTraits,
): boolean => viewer !== null && canSeePipelines(level, traits);

/** Developers may create, retry and cancel pipelines, unless the project is archived. */
export const canRunPipelines = (level: Access, project: ProjectTraits): boolean =>
  canPushCode(level, project);

/** Its jobs, traces and artifacts are lost: owners, unless the project is archived. */
export const canDeletePipelines = (level: Access, { isArchived }: ProjectTraits): boolean =>
  level >= Access.owner && !isArchived;

/** The values may be secrets: masters, and the user who gave them while they may run pipelines. */
export const canSeePipelineVariables = (
  viewer: Viewer,
  level: Access,
  project: ProjectTraits,
  { userId }: { readonly userId: number | null },
): boolean => level >= Access.master || (userId === viewer.id && canRunPipelines(level, project));

/**
 * Users who may push to or merge into a branch may run its pipelines (v4-behaviour 2.2), and those who may
 * create a protected tag its ones: their jobs get protected variables.
 */
export const canRunOnRef = (
  { name, isTag }: { readonly name: string; readonly isTag: boolean },
  level: Access,
  project: ProjectTraits & { readonly defaultBranch: string | null },
  { rules, tagRules }: RefRules,
): boolean =>
  isTag
    ? canPushCode(level, project) && isTagAllowed(name, level, tagRules)
    : canPushOrMerge(name, level, project, rules);
