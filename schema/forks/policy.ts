import type { Viewer } from '../kernel/viewer.ts';

/** Declaring that a project is a fork of another, which cannot be verified. */
export const canCreateForkRelation = (viewer: Viewer): boolean => viewer.isAdmin;
