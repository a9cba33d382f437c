import type { Context } from '../kernel/context.ts';
import { notFound, rejected } from '../kernel/errors.ts';
import { noObject } from '../kernel/no-object.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import type { Ref } from '../ports/git/history.ts';
import { findWritable } from '../projects/find.ts';
import { changeRefs } from '../repository/change-refs.ts';
import type { ReadableRepository } from '../repository/types.ts';
import { branchRef, findBranch, lookupTip } from './find.ts';
import { mergedAmong } from './merged.ts';
import { protectionOf } from './policy.ts';
import { rulesOf } from './protection.ts';

const removal = ({ name, id }: Ref) => ({ ref: branchRef(name), before: id, after: noObject });

/**
 * Removes a branch; developers, and of a protected one masters only. Refuses the default branch, and
 * one whose tip was written after the moment the caller named (v4-behaviour 3.7, 4.4).
 */
export async function removeBranch(ref: string, name: string, ctx: Context): Promise<void> {
  const repository = await findWritable(ref, ctx);
  const branch = await findBranch(repository, name, ctx);
  if (ctx.request.unmodifiedSince) {
    const [tip] = await ctx.git.commits(repository, [branch.id]);
    if (tip) refuseModified({ updatedAt: new Date(tip.author.at) }, ctx);
  }
  const changed = await changeRefs(repository, [removal(branch)], ctx);
  if (changed.outcome === 'moved') return;
  if (changed.outcome === 'refused') throw rejected(changed.text);
  // somebody else was faster: with the same wish, or with a commit that must not be lost
  if ((await lookupTip(repository, name, ctx)) === null) throw notFound('Branch');
  throw rejected('Failed to remove branch');
}

/** References in one transaction: git rewrites all packed ones in each. */
const most = 1000;

const mostAttempts = 5;

/** Removes what the default branch has taken in, except for protected branches; developers. */
export async function removeMergedBranches(ref: string, ctx: Context): Promise<void> {
  const repository = await findWritable(ref, ctx);
  const rules = await rulesOf(repository.id, ctx);
  const list = await ctx.git.refs(repository, 'refs/heads/');
  for (let from = 0; from < list.total; from += most) {
    const candidates = list
      .slice(from, most, 'asc')
      .filter(({ name }) => name !== repository.defaultBranch)
      .filter(({ name }) => !protectionOf(name, rules).isProtected);
    await removeUnmoved(repository, await mergedAmong(repository, candidates, ctx), ctx);
  }
}

/** Leaves what is moved or removed meanwhile, and everything when a rule begins to forbid it. */
async function removeUnmoved(
  repository: ReadableRepository,
  branches: readonly Ref[],
  ctx: Context,
): Promise<void> {
  let left = branches;
  for (let attempt = 1; left.length > 0 && attempt <= mostAttempts; attempt += 1) {
    const { outcome } = await changeRefs(repository, left.map(removal), ctx);
    if (outcome !== 'stale') return;
    const now = await ctx.git.readRefs(
      repository,
      left.map(({ name }) => branchRef(name)),
    );
    left = left.filter(({ name, id }) => now.get(branchRef(name)) === id);
  }
}
