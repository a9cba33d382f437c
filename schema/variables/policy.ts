import { Access } from '../kernel/access.ts';

/** Reading is no less than changing: the values are secrets (v4-behaviour 2.11). */
export const canManageVariables = (level: Access): boolean => level >= Access.master;
