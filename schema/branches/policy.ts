import { Access } from '../kernel/access.ts';
import { canEditProject } from '../projects/policy.ts';
import { type BranchRule, matchesRule } from '../repository/push-rules.ts';

/** Seeing and changing which branches are protected. */
export const canProtectBranches = canEditProject;

/** The protection fields of a branch (v4-behaviour 3.7). */
export interface Protection {
  readonly isProtected: boolean;
  readonly developersCanPush: boolean;
  readonly developersCanMerge: boolean;
}

/** If several rules match, the most permissive one counts, as for a push. */
export function protectionOf(branch: string, rules: readonly BranchRule[]): Protection {
  const matching = rules.filter(({ name }) => matchesRule(name, branch));
  return {
    isProtected: matching.length > 0,
    developersCanPush: matching.some((rule) => rule.pushAccessLevel === Access.developer),
    developersCanMerge: matching.some((rule) => rule.mergeAccessLevel === Access.developer),
  };
}

/**
 * Of the rules that match a branch, the one with the lowest level for pushes, and then for merges;
 * 0, no user, is the highest level.
 */
export function mostPermissive<Rule extends BranchRule>(
  branch: string,
  rules: readonly Rule[],
): Rule | null {
  const height = (level: number) => (level === Access.none ? Number.POSITIVE_INFINITY : level);
  const [first] = rules
    .filter(({ name }) => matchesRule(name, branch))
    .toSorted(
      (a, b) =>
        compare(height(a.pushAccessLevel), height(b.pushAccessLevel)) ||
        compare(height(a.mergeAccessLevel), height(b.mergeAccessLevel)),
    );
  return first ?? null;
}

const compare = (a: number, b: number): number => (a === b ? 0 : a - b);
