import type { Access } from '../kernel/access.ts';
import { canEditProject } from '../projects/policy.ts';

/** A project with what decides whether Git LFS is served. */
export interface LfsTraits {
  readonly lfsEnabled: boolean;
}

/** Whether the project and all groups above it serve Git LFS. */
export const isLfsEnabled = (project: LfsTraits, groupsAbove: readonly LfsTraits[]): boolean =>
  project.lfsEnabled && groupsAbove.every(({ lfsEnabled }) => lfsEnabled);

/** Unlocking the path of another user, which the client has to ask for. */
export const canForceUnlock = (level: Access): boolean => canEditProject(level);
