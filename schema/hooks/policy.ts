import { Access } from '../kernel/access.ts';
import type { Viewer } from '../kernel/viewer.ts';

/**
 * Reading needs the same level as changing, because hooks publish a project's data (v4-behaviour
 * 3.9).
 */
export const canManageHooks = (level: Access): boolean => level >= Access.master;

/** System hooks are notified of all projects. */
export const canManageSystemHooks = (viewer: Viewer): boolean => viewer.isAdmin;
