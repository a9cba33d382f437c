import { refRulesOf } from '../branches/protection.ts';
import { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { levelInProject, levelSelection } from '../projects/find.ts';
import { levelsOf } from '../sessions/levels.ts';
import { ciPathOf } from './config.ts';
import type { PipelineSource } from './jobs-of-file.ts';
import { canRunOnRef, canRunPipelines } from './policy.ts';
import { pipelineRef } from './ref.ts';

type TargetParts = Pick<Context, 'db' | 'git'>;

export interface TargetOptions {
  /** A branch or tag, also by its full name, or a commit's id. */
  readonly ref: string;
  readonly source: PipelineSource;
  readonly user: { readonly id: number };
}

/** Why a pipeline is not created; `isDenied` if its user lacks the permission. */
export interface Refusal {
  readonly refusal: string;
  readonly isDenied?: true;
}

/** What the user may create a pipeline for, or why not. */
export async function pipelineTarget(
  { id: projectId }: { readonly id: number },
  input: TargetOptions,
  parts: TargetParts,
) {
  const project = await projectOfPipelines(projectId, input.user.id, parts);
  if (!project) return denied(refusals.user);
  if (!project.jobsEnabled) return { refusal: refusals.disabled };
  if (!canRunPipelines(project.level, project)) return denied(refusals.user);
  const ref = await pipelineRef(project, input.ref, parts);
  const rules = await refRulesOf(project.id, parts);
  const isTag = ref?.kind === 'tag';
  const isNamed = ref?.kind === 'branch' || isTag;
  if (isNamed && !canRunOnRef({ name: ref.name, isTag }, project.level, project, rules)) {
    return denied(refusals.protected(ref.name));
  }
  if (!ref) return { refusal: refusals.ref };
  const commit = await parts.git.commitBehind(project, ref.id);
  if (!commit) return { refusal: refusals.commit };
  const pipelineContext = {
    ref: ref.name,
    isTag,
    source: input.source,
    fullPath: project.fullPath,
  };
  return { project, ref, commit, rules, pipelineContext };
}

const denied = (refusal: string): Refusal => ({ refusal, isDenied: true });

export const refusals = {
  disabled: 'Pipelines are disabled!',
  user: 'Insufficient permissions to create a new pipeline',
  protected: (ref: string) => `Insufficient permissions for protected ref '${ref}'`,
  ref: 'Reference not found',
  commit: 'Commit not found',
  file: (project: Parameters<typeof ciPathOf>[0]) => `Missing ${ciPathOf(project)} file`,
  jobs: 'No stages / jobs for this pipeline.',
} as const;

/**
 * The project as a pipeline needs it, with the level of the user for whom it runs; null if it was
 * removed. The level of a user who was deleted is none.
 */
export async function projectOfPipelines(id: number, userId: number, { db }: Pick<Context, 'db'>) {
  const [holder, project] = await Promise.all([
    levelsOf(db, userId),
    db.project.findFirst({
      relationLoadStrategy: 'join',
      where: { id, isRemoved: false },
      select: {
        ...levelSelection({ id: userId }),
        id: true,
        fullPath: true,
        storage: true,
        diskPath: true,
        defaultBranch: true,
        jobsEnabled: true,
        ciConfigPath: true,
      },
    }),
  ]);
  return project && { ...project, level: holder ? levelInProject(holder, project) : Access.none };
}
