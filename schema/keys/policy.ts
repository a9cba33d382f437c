import type { Viewer } from '../kernel/viewer.ts';
import { canEditProject } from '../projects/policy.ts';

/** Keys are seen, added and removed by their owner and administrators (v4-behaviour 3.10). */
export const canManageKeys = (viewer: Viewer, userId: number): boolean =>
  viewer.isAdmin || viewer.id === userId;

/** Whose a key is, and which deploy keys there are at all, is for administrators. */
export const canSeeAllKeys = (viewer: Viewer): boolean => viewer.isAdmin;

/** The deploy keys of a project. */
export const canManageDeployKeys = canEditProject;
