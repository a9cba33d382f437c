import type { ProtectedBranch } from '../../prisma/client.ts';
import type { ProjectCommit } from '../commits/types.ts';
import { batched } from '../kernel/batched.ts';
import type { Context } from '../kernel/context.ts';
import { ifUnreadable, RepositoryFailure } from '../kernel/outage.ts';
import type { Ref } from '../ports/git/history.ts';
import { projectById } from '../projects/find.ts';
import { canDeleteBranch, canPushTo } from '../repository/push-rules.ts';
import { readableOf } from '../repository/readable.ts';
import type { ReadableRepository } from '../repository/types.ts';
import { findMergedBranches } from './merged.ts';
import { canProtectBranches, mostPermissive, type Protection, protectionOf } from './policy.ts';
import { rulesOfProjects } from './protection.ts';

/** A branch and the commit at its tip. */
export interface BranchRecord extends Ref {
  readonly commit: ProjectCommit;
  readonly repository: ReadableRepository;
}

/** The records of branches of one repository, whose commits are read together; omits those that cannot be read. */
export async function showBranches(
  repository: ReadableRepository,
  branches: readonly Ref[],
  { git }: Pick<Context, 'git'>,
): Promise<BranchRecord[]> {
  const ids = branches.map(({ id }) => id);
  const commits = await readableOf(ids, (some) => git.commits(repository, some));
  const commitOf = new Map(commits.map((commit) => [commit.id, { ...commit, repository }]));
  return branches.flatMap(({ name, id }) => {
    const commit = commitOf.get(id);
    return commit ? { name, id, commit, repository } : [];
  });
}

/** The record of one branch. */
export async function showBranch(
  repository: ReadableRepository,
  branch: Ref,
  ctx: Pick<Context, 'git'>,
): Promise<BranchRecord> {
  const [record] = await showBranches(repository, [branch], ctx);
  if (!record) throw new RepositoryFailure(`the commit of branch ${branch.name} is missing`);
  return record;
}

/** Whether a branch is merged into the default branch; one process for all of a repository. */
export const isMerged = batched<BranchRecord, boolean>(async (branches, ctx) => {
  const merged = await Promise.all(
    [...Map.groupBy(branches, ({ repository }) => repository.id).values()].map((ofProject) => {
      const [{ repository }] = ofProject as [BranchRecord, ...BranchRecord[]];
      // a listing of branches survives damage of the default branch
      return findMergedBranches(repository, ofProject, ctx).catch(ifUnreadable([]));
    }),
  );
  const all: ReadonlySet<Ref> = new Set(merged.flat());
  return new Map(branches.map((branch) => [branch, all.has(branch)]));
}, false);

/** The rule that protects a branch, for users who may see rules; null for others, and for none. */
export async function ruleForMasters(
  { name, repository }: BranchRecord,
  ctx: Pick<Context, 'db' | 'viewer'>,
): Promise<ProtectedBranch | null> {
  const { level } = await projectById(repository.id, ctx);
  return canProtectBranches(level)
    ? mostPermissive(name, await rulesOfProjects(repository.id, ctx))
    : null;
}

/** Whether the current user may push to a branch. */
export async function mayPushTo(
  { name, repository }: BranchRecord,
  ctx: Pick<Context, 'db' | 'viewer'>,
): Promise<boolean> {
  const project = await projectById(repository.id, ctx);
  return canPushTo(name, project.level, project, await rulesOfProjects(repository.id, ctx));
}

/** Whether the current user may delete a branch. */
export async function mayDelete(
  { name, repository }: BranchRecord,
  ctx: Pick<Context, 'db' | 'viewer'>,
): Promise<boolean> {
  const project = await projectById(repository.id, ctx);
  return canDeleteBranch(name, project.level, project, await rulesOfProjects(repository.id, ctx));
}

const protections = new WeakMap<BranchRecord, Promise<Protection>>();

/**
 * The protection of a branch; one statement for the branches of all projects. Several fields show it,
 * so that it is read once for each record.
 */
export function protectionOfBranch(
  branch: BranchRecord,
  ctx: Pick<Context, 'db'>,
): Promise<Protection> {
  const existing = protections.get(branch);
  if (existing) return existing;
  const protection = rulesOfProjects(branch.repository.id, ctx).then((rules) =>
    protectionOf(branch.name, rules),
  );
  protections.set(branch, protection);
  return protection;
}
