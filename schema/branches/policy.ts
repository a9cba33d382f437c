import { Access } from '../kernel/access.ts';
import { canEditProject } from '../projects/policy.ts';
import { matches } from '../repository/push-rules.ts';

/** Which branches are protected, and from whom: to see it and to change it. */
export const canProtectBranches = canEditProject;

/** A rule on all branches whose names its own name speaks of. */
export interface BranchProtection {
  readonly name: string;
  readonly pushAccessLevel: number;
  readonly mergeAccessLevel: number;
}

/** What a branch shows of the rules on it (v4-behaviour 3.7). */
export interface Protection {
  readonly isProtected: boolean;
  readonly developersCanPush: boolean;
  readonly developersCanMerge: boolean;
}

/** Of several rules that speak of a branch the kindest counts, as on a push. */
export function protectionOf(branch: string, rules: readonly BranchProtection[]): Protection {
  const matching = rules.filter(({ name }) => matches(name, branch));
  return {
    isProtected: matching.length > 0,
    developersCanPush: matching.some((rule) => rule.pushAccessLevel === Access.developer),
    developersCanMerge: matching.some((rule) => rule.mergeAccessLevel === Access.developer),
  };
}
