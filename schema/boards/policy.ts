import { Access } from '../kernel/access.ts';

/** Reporters add and move lists, as with labels. */
export const canArrangeLists = (level: Access): boolean => level >= Access.reporter;

/** Masters, owners and administrators (specification, "Issue boards"). */
export const canDeleteLists = (level: Access): boolean => level >= Access.master;
