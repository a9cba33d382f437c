import { Access } from '../kernel/access.ts';

/** Users who see a group or project see its labels; reporters create and change them. */
export const canAdminLabels = (level: Access): boolean => level >= Access.reporter;
