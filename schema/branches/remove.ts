import type { Context } from '../kernel/context.ts';
import { notFound, rejected } from '../kernel/errors.ts';
import { noObject } from '../kernel/no-object.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import type { Ref } from '../ports/git/history.ts';
import { findWritableProject } from '../projects/find.ts';
import { changeRefs } from '../repository/change-refs.ts';
import type { ReadableRepository } from '../repository/types.ts';
import { branchRef, findBranch, lookupTip } from './find.ts';
import { findMergedBranches } from './merged.ts';
import { protectionOf } from './policy.ts';
import { rulesOf } from './protection.ts';

const removal = ({ name, id }: Ref) => ({ ref: branchRef(name), before: id, after: noObject });

/**
 * Deletes a branch; developers, for a protected one masters. Throws for the default branch, and for
 * a branch whose tip is newer than the time the caller named (v4-behaviour 3.7, 4.4).
 */
export async function removeBranch(ref: string, name: string, ctx: Context): Promise<void> {
  const repository = await findWritableProject(ref, ctx);
  const branch = await findBranch(repository, name, ctx);
  if (ctx.request.unmodifiedSince) {
    const [tip] = await ctx.git.commits(repository, [branch.id]);
    if (tip) refuseModified({ updatedAt: new Date(tip.author.at) }, ctx);
  }
  const changed = await changeRefs(repository, [removal(branch)], ctx);
  if (changed.outcome === 'moved') return;
  if (changed.outcome === 'refused') throw rejected(changed.text);
  // another request was faster: it deleted the branch, or added a commit that must not be lost
  if ((await lookupTip(repository, name, ctx)) === null) throw notFound('Branch');
  throw rejected('Failed to remove branch');
}

/** References per transaction: each one rewrites all packed references. */
const most = 1000;

const mostAttempts = 5;

/** Deletes the branches merged into the default branch, except for protected ones; developers. */
export async function removeMergedBranches(ref: string, ctx: Context): Promise<number> {
  const repository = await findWritableProject(ref, ctx);
  const rules = await rulesOf(repository.id, ctx);
  const list = await ctx.git.refs(repository, 'refs/heads/');
  for (let from = 0; from < list.total; from += most) {
    const candidates = list
      .slice(from, most, 'asc')
      .filter(({ name }) => name !== repository.defaultBranch)
      .filter(({ name }) => !protectionOf(name, rules).isProtected);
    await removeUnmoved(repository, await findMergedBranches(repository, candidates, ctx), ctx);
  }
  return repository.id;
}

/** Skips branches that concurrently move or are deleted, and stops if a rule newly forbids it. */
async function removeUnmoved(
  repository: ReadableRepository,
  branches: readonly Ref[],
  ctx: Context,
): Promise<void> {
  let remaining = branches;
  for (let attempt = 1; remaining.length > 0 && attempt <= mostAttempts; attempt += 1) {
    const { outcome } = await changeRefs(repository, remaining.map(removal), ctx);
    if (outcome !== 'stale') return;
    const now = await ctx.git.readRefs(
      repository,
      remaining.map(({ name }) => branchRef(name)),
    );
    remaining = remaining.filter(({ name, id }) => now.get(branchRef(name)) === id);
  }
}
