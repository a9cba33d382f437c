import { Access } from '../kernel/access.ts';

/** Reading needs the same level as changing, because the values are secrets (v4-behaviour 2.11). */
export const canManageVariables = (level: Access): boolean => level >= Access.master;
