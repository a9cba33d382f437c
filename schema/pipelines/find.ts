import { refRulesOf } from '../branches/protection.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, recordNotFound } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { findProject } from '../projects/find.ts';
import { signedInFinders } from '../projects/signed-in-finders.ts';
import { canReadPipelines, canRunOnRef, canRunPipelines } from './policy.ts';

type Asking = Pick<Context, 'db' | 'viewer'>;

const finders = signedInFinders(canReadPipelines);

/** A project whose pipelines the viewer may read; requires sign-in (v4-behaviour 2.2). */
export const findPipelineProject = finders.find;

/** As `findPipelineProject`, for edges. */
export const pipelineProjectById = finders.byId;

/** As `findPipelineProject`, for the project of a record. */
export const pipelineProjectOf = finders.ofRecord;

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
