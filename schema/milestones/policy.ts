import { Access } from '../kernel/access.ts';

/** Who sees a group or project sees its milestones; they are made and changed from developers on. */
export const canAdminMilestones = (level: Access): boolean => level >= Access.developer;
