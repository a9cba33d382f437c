import { Access } from '../kernel/access.ts';
import type { Viewer } from '../kernel/viewer.ts';

export const canCreateGroup = (viewer: Viewer): boolean => viewer.isAdmin || viewer.canCreateGroup;

export const canCreateSubgroup = (level: Access): boolean => level >= Access.owner;

export const canAdministerGroup = (level: Access): boolean => level >= Access.owner;

/** The lowest level of users who may create projects in a group. */
export const levelForProjects = Access.master;

export const canCreateProjectIn = (level: Access): boolean => level >= levelForProjects;

export const canCountMembers = (level: Access): boolean => level >= Access.master;
