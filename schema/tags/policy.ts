import { canEditProject } from '../projects/policy.ts';

/** Seeing and changing which tags are protected. */
export const canProtectTags = canEditProject;
