import type { Viewer } from '../kernel/viewer.ts';

/** Administrators read and write the custom attributes of users, groups and projects. */
export const canManageAttributes = (viewer: Viewer | null): boolean => viewer?.isAdmin === true;
