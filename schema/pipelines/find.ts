import { refRulesOf } from '../branches/protection.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, recordNotFound } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import type { Viewer } from '../kernel/viewer.ts';
import {
  accessibleProject,
  findProject,
  type ProjectFacts,
  projectById,
} from '../projects/find.ts';
import { canReadPipelines, canRunOnRef, canRunPipelines } from './policy.ts';

type Asking = Pick<Context, 'db' | 'viewer'>;

type Project = Awaited<ReturnType<typeof projectById>>;

/** A project whose pipelines the viewer may read; requires sign-in (v4-behaviour 2.2). */
export async function findPipelineProject(ref: string, ctx: Asking): Promise<Project> {
  const viewer = signedIn(ctx);
  return withPipelines(viewer, await findProject(ref, ctx));
}

/** As `findPipelineProject`, for edges. */
export async function pipelineProjectById(id: number, ctx: Asking): Promise<Project> {
  const viewer = signedIn(ctx);
  return withPipelines(viewer, await projectById(id, ctx));
}

/** As `findPipelineProject`, for the project of a record. */
export function pipelineProjectOf(project: ProjectFacts, ctx: Asking): Project {
  const viewer = signedIn(ctx);
  return withPipelines(viewer, accessibleProject(project, ctx));
}

function withPipelines(viewer: Viewer, project: Project): Project {
  if (!canReadPipelines(viewer, project.level, project)) throw forbidden();
  return project;
}

/** A project in which the viewer may create and change pipelines. */
export const findRunnable = (ref: string, ctx: Asking) =>
  findProject(ref, ctx, (_viewer, level, project) => canRunPipelines(level, project));

/** The columns needed to change a pipeline. */
export async function findPipeline(
  project: { readonly id: number },
  id: number,
  { db }: Pick<Context, 'db'>,
) {
  const select = { id: true, projectId: true, ref: true, isTag: true } as const;
  const where = { id, projectId: project.id };
  return orThrow(db.pipeline.findFirst({ where, select }), recordNotFound);
}

/**
 * A pipeline that the viewer may retry or cancel; throws `forbidden` if jobs are disabled, and
 * unless the user may run pipelines on its branch or tag (v4-behaviour 2.2).
 */
export async function findChangeablePipeline(ref: string, id: number, ctx: Asking) {
  const project = await findRunnable(ref, ctx);
  if (!project.jobsEnabled) throw forbidden();
  const pipeline = await findPipeline(project, id, ctx);
  const rules = await refRulesOf(project.id, ctx);
  const { ref: name, isTag } = pipeline;
  if (!canRunOnRef({ name, isTag }, project.level, project, rules)) throw forbidden();
  return pipeline;
}
