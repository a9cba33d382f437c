import type { Viewer } from '../kernel/viewer.ts';
import { canEditProject } from '../projects/policy.ts';

/** Owners and administrators see, add and remove keys (v4-behaviour 3.10). */
export const canManageKeys = (viewer: Viewer, userId: number): boolean =>
  viewer.isAdmin || viewer.id === userId;

/** Only administrators see a key's owner, and the list of all deploy keys. */
export const canSeeAllKeys = (viewer: Viewer): boolean => viewer.isAdmin;

/** The deploy keys of a project. */
export const canManageDeployKeys = canEditProject;
