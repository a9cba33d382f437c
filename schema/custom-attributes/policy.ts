import type { Viewer } from '../kernel/viewer.ts';

/** What is noted of users, groups and projects is read and written by administrators. */
export const canManageAttributes = (viewer: Viewer | null): boolean => viewer?.isAdmin === true;
