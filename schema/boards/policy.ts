import { Access } from '../kernel/access.ts';

/** Lists are added and moved from reporters on, as labels are. */
export const canArrangeLists = (level: Access): boolean => level >= Access.reporter;

/** Masters, owners and administrators (specification, "Issue boards"). */
export const canDeleteLists = (level: Access): boolean => level >= Access.master;
