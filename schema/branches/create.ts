import type { Context } from '../kernel/context.ts';
import { rejected } from '../kernel/errors.ts';
import { noObject } from '../kernel/no-object.ts';
import { isRefName } from '../kernel/ref-names.ts';
import { findWritableProject } from '../projects/find.ts';
import { changeRefs } from '../repository/change-refs.ts';
import { branchRef, lookupTip } from './find.ts';
import { type BranchRecord, showBranch } from './show.ts';

/**
 * Creates the branch `name` at `from` (a branch, a tag, a commit); developers, subject to the push
 * rules. Of concurrent requests one succeeds (v4-behaviour 3.7).
 */
export async function createBranch(
  ref: string,
  name: string,
  from: string,
  ctx: Context,
): Promise<BranchRecord> {
  const repository = await findWritableProject(ref, ctx);
  if (!isRefName(name)) throw rejected('Branch name is invalid');
  if ((await lookupTip(repository, name, ctx)) !== null) throw rejected('Branch already exists');
  const id = await ctx.git.resolveCommit(repository, from);
  if (id === null) throw rejected('Invalid reference name');
  const change = { ref: branchRef(name), before: noObject, after: id };
  const changed = await changeRefs(repository, [change], ctx);
  if (changed.outcome === 'stale') throw rejected('Branch already exists');
  // `a/b` and `a` cannot both exist
  if (changed.outcome === 'impossible') throw rejected('Branch name is invalid');
  if (changed.outcome === 'refused') throw rejected(changed.text);
  return showBranch(repository, { name, id }, ctx);
}
