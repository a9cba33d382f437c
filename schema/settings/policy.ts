import type { Viewer } from '../kernel/viewer.ts';

/** The application settings are read and changed by administrators (specification, access rules). */
export const canManageSettings = (viewer: Viewer | null): boolean => viewer?.isAdmin === true;
