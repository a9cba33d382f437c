import type { Context } from '../kernel/context.ts';
import { forbidden, recordNotFound } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { signedInFinders } from '../projects/signed-in-finders.ts';
import { canChangeEnvironments, canCreateEnvironments, canSeeEnvironments } from './policy.ts';

type Caller = Pick<Context, 'db' | 'viewer'>;
const finders = signedInFinders((_viewer, level, project) => canSeeEnvironments(level, project));

/** A project whose environments and deployments the viewer may see; requires sign-in. */
export const findEnvironmentsProject = finders.find;

/** As `findEnvironmentsProject`, for edges. */
export const environmentsProjectById = finders.byId;

/** As `findEnvironmentsProject`, for the project of a record. */
export const environmentsProjectOf = finders.ofRecord;

/** A project in which the viewer may create environments. */
export async function findDeployableProject(ref: string, ctx: Caller) {
  const project = await findEnvironmentsProject(ref, ctx);
  if (!canCreateEnvironments(project.level, project)) throw forbidden();
  return project;
}

/** An environment of a project in which the viewer may create environments. */
export async function findStoppableEnvironment(ref: string, id: number, ctx: Caller) {
  const project = await findDeployableProject(ref, ctx);
  const where = { id, projectId: project.id };
  const environment = await orThrow(ctx.db.environment.findFirst({ where }), recordNotFound);
  return { ...environment, project };
}

/** An environment that the viewer may change. */
export async function findChangeableEnvironment(ref: string, id: number, ctx: Caller) {
  const project = await findEnvironmentsProject(ref, ctx);
  if (!canChangeEnvironments(project.level, project)) throw forbidden();
  const where = { id, projectId: project.id };
  return orThrow(ctx.db.environment.findFirst({ where }), recordNotFound);
}
