import type { Context } from '../kernel/context.ts';
import { forbidden, recordNotFound } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import {
  accessibleProject,
  findProject,
  type ProjectFacts,
  projectById,
} from '../projects/find.ts';
import { canChangeEnvironments, canCreateEnvironments, canSeeEnvironments } from './policy.ts';

type Caller = Pick<Context, 'db' | 'viewer'>;
type Project = Awaited<ReturnType<typeof projectById>>;

function withEnvironments(project: Project): Project {
  if (!canSeeEnvironments(project.level, project)) throw forbidden();
  return project;
}

/** A project whose environments and deployments the viewer may see; requires sign-in. */
export async function findEnvironmentsProject(ref: string, ctx: Caller): Promise<Project> {
  signedIn(ctx);
  return withEnvironments(await findProject(ref, ctx));
}

/** As `findEnvironmentsProject`, for edges. */
export async function environmentsProjectById(id: number, ctx: Caller): Promise<Project> {
  signedIn(ctx);
  return withEnvironments(await projectById(id, ctx));
}

/** As `findEnvironmentsProject`, for the project of a record. */
export function environmentsProjectOf(project: ProjectFacts, ctx: Caller): Project {
  signedIn(ctx);
  return withEnvironments(accessibleProject(project, ctx));
}

/** A project in which the viewer may create environments. */
export async function findDeployableProject(ref: string, ctx: Caller): Promise<Project> {
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
