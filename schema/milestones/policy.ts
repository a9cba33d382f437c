import { Access } from '../kernel/access.ts';

/** Users who see a group or project see its milestones; developers create and change them. */
export const canAdminMilestones = (level: Access): boolean => level >= Access.developer;
