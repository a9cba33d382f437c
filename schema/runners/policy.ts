import { Access } from '../kernel/access.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** Whose jobs a runner takes: of any branch or tag, or of protected ones only. */
export const runnerAccesses = ['not_protected', 'ref_protected'] as const;

export type RunnerAccess = (typeof runnerAccesses)[number];

/** What the rules look at: a runner, and what the viewer is to it. */
export interface RunnerStanding {
  readonly isAdmin: boolean;
  readonly isShared: boolean;
  readonly isLocked: boolean;
  /** In how many projects it is enabled. */
  readonly projectCount: number;
  /** Whether the viewer is a master of one of them. */
  readonly isMaster: boolean;
}

/** Why something may not be done with a runner, as v4-behaviour 2.1 words it; null when it may. */
export type RunnerRule = (standing: RunnerStanding) => string | null;

const noAccess = 'No access granted';
const shared = 'Runner is shared';

const unlessMaster = ({ isMaster }: RunnerStanding) => (isMaster ? null : noAccess);

export const reasonNotToShow: RunnerRule = (runner) =>
  runner.isAdmin || runner.isShared ? null : unlessMaster(runner);

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

/** In a further project, whose masters alone get as far as this. */
export const reasonNotToEnable: RunnerRule = (runner) => {
  if (runner.isShared) return shared;
  if (runner.isLocked) return 'Runner is locked';
  return runner.isAdmin ? null : unlessMaster(runner);
};

/** Whoever has it asks for jobs in the runner's name. */
export const canSeeRunnerToken = (
  viewer: Pick<Viewer, 'isAdmin'>,
  { isShared }: Pick<RunnerStanding, 'isShared'>,
): boolean => viewer.isAdmin || !isShared;

export const canListAllRunners = ({ isAdmin }: Pick<Viewer, 'isAdmin'>): boolean => isAdmin;

/** Of a project: which it has, which it is given, and the token that registers more. */
export const canManageRunners = (level: Access): boolean => level >= Access.master;

/** Of the instance. */
export const canManageSharedRunners = (viewer: Pick<Viewer, 'isAdmin'> | null): boolean =>
  viewer?.isAdmin === true;
