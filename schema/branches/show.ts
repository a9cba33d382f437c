import type { ProjectCommit } from '../commits/types.ts';
import type { Context } from '../kernel/context.ts';
import type { Ref } from '../ports/git/history.ts';
import type { ReadableRepository } from '../repository/types.ts';
import { findMergedBranches } from './merged.ts';
import { type Protection, protectionOf } from './policy.ts';
import { rulesOf } from './protection.ts';

/** A branch with all its displayed data. */
export interface BranchRecord extends Protection {
  readonly name: string;
  readonly commit: ProjectCommit;
  readonly isMerged: boolean;
}

/** Displayed data of branches of one repository, loaded together for all of them. */
export async function showBranches(
  repository: ReadableRepository,
  branches: readonly Ref[],
  ctx: Context,
): Promise<BranchRecord[]> {
  const ids = branches.map(({ id }) => id);
  const [commits, merged, rules] = await Promise.all([
    ctx.git.commits(repository, ids),
    findMergedBranches(repository, branches, ctx),
    rulesOf(repository.id, ctx),
  ]);
  const commitOf = new Map(commits.map((commit) => [commit.id, { ...commit, repository }]));
  const isMerged = new Set(merged);
  return branches.flatMap((branch) => {
    const commit = commitOf.get(branch.id);
    if (!commit) return [];
    const { name } = branch;
    return { name, commit, isMerged: isMerged.has(branch), ...protectionOf(name, rules) };
  });
}

/** The displayed data of one branch. */
export async function showBranch(
  repository: ReadableRepository,
  branch: Ref,
  ctx: Context,
): Promise<BranchRecord> {
  const [record] = await showBranches(repository, [branch], ctx);
  if (!record) throw new Error(`Branch ${branch.name} was not shown`);
  return record;
}
