import { Access } from '../kernel/access.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** Reading is no less than changing: what is said in a project goes wherever a hook says (v4-behaviour 3.9). */
export const canManageHooks = (level: Access): boolean => level >= Access.master;

/** Those that are told of all projects. */
export const canManageSystemHooks = (viewer: Viewer): boolean => viewer.isAdmin;
