import { Access } from '../kernel/access.ts';

/** Who sees a group or project sees its labels; they are made and changed from reporters on. */
export const canAdminLabels = (level: Access): boolean => level >= Access.reporter;
