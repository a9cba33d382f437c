import type { Context } from '../kernel/context.ts';
import { conflict, forbidden, notFound } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { accessibleProject, findProject, type ProjectFacts } from '../projects/find.ts';
import { signedInFinders } from '../projects/signed-in-finders.ts';
import { canChangeSchedule, canCreateSchedules, canSeeSchedules } from './policy.ts';

type Caller = Pick<Context, 'db' | 'viewer'>;

const finders = signedInFinders((_viewer, level, project) => canSeeSchedules(level, project));

/** A project whose schedules the viewer may see; anonymous users get 401 even for public projects. */
export const findSchedulesProject = finders.find;

/** As `findSchedulesProject`, for edges. */
export const schedulesProjectById = finders.byId;

/** Throws for an id that is not a schedule of the project. */
export const scheduleNotFound = () => notFound('Pipeline Schedule');

/** A schedule as a change of it found it. */
export interface OwnedSchedule {
  readonly id: number;
  readonly ownerId: number | null;
}

/** Throws if a schedule has got another owner since: the permission for the change may be gone. */
export const ownerChanged = () => conflict('The schedule has got another owner meanwhile');

/** As `findSchedulesProject`, for the project of a record, which other users do not see. */
export function schedulesProjectOf(project: ProjectFacts, ctx: Caller) {
  signedIn(ctx);
  const accessible = accessibleProject(project, ctx);
  if (!canSeeSchedules(accessible.level, accessible)) throw scheduleNotFound();
  return accessible;
}

/** A project in which the viewer may create schedules. */
export async function findSchedulableProject(ref: string, ctx: Caller) {
  const project = await findSchedulesProject(ref, ctx);
  if (!canCreateSchedules(project.level, project)) throw forbidden();
  return project;
}

/** A schedule with its project, if the viewer may see it; v4 responds with 404 to other users. */
export async function findSchedule(ref: string, id: number, ctx: Caller) {
  signedIn(ctx);
  const project = await findProject(ref, ctx);
  if (!canSeeSchedules(project.level, project)) throw scheduleNotFound();
  const schedule = await orThrow(
    ctx.db.pipelineSchedule.findFirst({ where: { id, projectId: project.id } }),
    scheduleNotFound,
  );
  return { ...schedule, project };
}

/** A schedule that the viewer may change. */
export async function findChangeableSchedule(ref: string, id: number, ctx: Caller) {
  const schedule = await findSchedule(ref, id, ctx);
  const { project, ownerId } = schedule;
  if (!canChangeSchedule(signedIn(ctx).id, project.level, project, ownerId)) throw forbidden();
  return schedule;
}
