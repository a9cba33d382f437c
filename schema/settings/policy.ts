import type { Viewer } from '../kernel/viewer.ts';

/** Administrators read and change the application settings (specification, access rules). */
export const canManageSettings = (viewer: Viewer | null): boolean => viewer?.isAdmin === true;
