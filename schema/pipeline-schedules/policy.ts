import { Access } from '../kernel/access.ts';
import { canRunPipelines } from '../pipelines/policy.ts';
import type { ProjectTraits } from '../projects/policy.ts';

/** The facts of a project that rules on schedules need besides the viewer's level. */
export interface ScheduleTraits extends ProjectTraits {
  readonly jobsEnabled: boolean;
}

/** Developers: variables of schedules reach the jobs that they may run. */
export const canSeeSchedules = (
  level: Access,
  { jobsEnabled }: Pick<ScheduleTraits, 'jobsEnabled'>,
): boolean => jobsEnabled && level >= Access.developer;

/** Creating a schedule, and running one at once. */
export const canCreateSchedules = (level: Access, project: ScheduleTraits): boolean =>
  project.jobsEnabled && canRunPipelines(level, project);

/** Masters, and the owner of the schedule while still a developer. */
const isInCharge = (viewerId: number, level: Access, ownerId: number | null): boolean =>
  level >= Access.master || (level >= Access.developer && ownerId === viewerId);

/** Changing, deleting and taking over a schedule. */
export const canChangeSchedule = (
  viewerId: number,
  level: Access,
  project: ScheduleTraits,
  ownerId: number | null,
): boolean => canCreateSchedules(level, project) && isInCharge(viewerId, level, ownerId);

/** The values of its variables are secrets, as those of a project are. */
export const canSeeScheduleVariables = isInCharge;
