import type { Context } from '../kernel/context.ts';
import { forbidden, recordNotFound } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { findProject } from '../projects/find.ts';
import { canReadPipelines, canRunPipelines } from './policy.ts';

type Asking = Pick<Context, 'db' | 'viewer'>;

/** A project whose pipelines the viewer may read; requires sign-in (v4-behaviour 2.2). */
export async function findPipelineProject(ref: string, ctx: Asking) {
  const viewer = signedIn(ctx);
  const project = await findProject(ref, ctx);
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
  return orThrow(
    db.pipeline.findFirst({
      where: { id, projectId: project.id },
      select: { id: true, projectId: true, ref: true, isTag: true, sha: true },
    }),
    recordNotFound,
  );
}
