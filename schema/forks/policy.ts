import type { Viewer } from '../kernel/viewer.ts';

/** Saying of a project that it came from another, which nobody can check. */
export const canTieForks = (viewer: Viewer): boolean => viewer.isAdmin;
