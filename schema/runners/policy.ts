import { Access } from '../kernel/access.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** Which refs' jobs a runner runs: all, or protected ones only. */
export type RunnerAccess = 'not_protected' | 'ref_protected';

/** The facts for the rules: a runner, and the viewer's relation to it. */
export interface RunnerStanding {
  readonly isAdmin: boolean;
  readonly isShared: boolean;
  readonly isLocked: boolean;
  /** The number of projects it is enabled in. */
  readonly projectCount: number;
  /** Whether the viewer is a master of one of them. */
  readonly isMaster: boolean;
}

/** Why an action on a runner is forbidden, with the texts of v4-behaviour 2.1; null when it is allowed. */
export type RunnerRule = (standing: RunnerStanding) => string | null;

const noAccess = 'No access granted';
const shared = 'Runner is shared';

const unlessMaster = ({ isMaster }: Pick<RunnerStanding, 'isMaster'>) =>
  isMaster ? null : noAccess;

export const reasonNotToShow = (
  runner: Pick<RunnerStanding, 'isAdmin' | 'isShared' | 'isMaster'>,
): string | null => (runner.isAdmin || runner.isShared ? null : unlessMaster(runner));

export const reasonNotToUpdate: RunnerRule = (runner) => {
  if (runner.isAdmin) return null;
  return runner.isShared ? shared : unlessMaster(runner);
};

export const reasonNotToDelete: RunnerRule = (runner) => {
  if (runner.isAdmin) return null;
  if (runner.isShared) return shared;
  if (runner.projectCount > 1) return 'Runner associated with more than one project';
  return unlessMaster(runner);
};

/** Enabling it in a further project, whose masters alone get this far. */
export const reasonNotToEnable: RunnerRule = (runner) => {
  if (runner.isShared) return shared;
  if (runner.isLocked) return 'Runner is locked';
  return runner.isAdmin ? null : unlessMaster(runner);
};

/** The token allows requesting jobs as the runner. */
export const canSeeRunnerToken = (
  viewer: Pick<Viewer, 'isAdmin'>,
  { isShared }: Pick<RunnerStanding, 'isShared'>,
): boolean => viewer.isAdmin || !isShared;

export const canListAllRunners = ({ isAdmin }: Pick<Viewer, 'isAdmin'>): boolean => isAdmin;

/** A project's runners, enabling others, and its registration token. */
export const canManageRunners = (level: Access): boolean => level >= Access.master;

/** All runners of the instance. */
export const canManageSharedRunners = (viewer: Pick<Viewer, 'isAdmin'> | null): boolean =>
  viewer?.isAdmin === true;
