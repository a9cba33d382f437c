import { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, recordNotFound } from '../kernel/errors.ts';
import { given } from '../kernel/given.ts';
import { onUniqueViolation } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import type { BranchRule } from '../repository/push-rules.ts';
import { refuseOtherLevels, refuseRuleName } from '../repository/ref-access.ts';
import { findBranch } from './find.ts';
import { findProtectableProject, findProtectedBranch } from './protection.ts';
import { type BranchRecord, showBranch } from './show.ts';

/** Omitted fields stay unchanged; without a rule they default to false. */
export interface DevelopersRights {
  readonly developersCanPush?: boolean | null | undefined;
  readonly developersCanMerge?: boolean | null | undefined;
}

const levelFor = (isOpen: boolean) => (isOpen ? Access.developer : Access.master);

/** Protects an existing branch, or changes its protection; masters. */
export async function protectBranch(
  ref: string,
  name: string,
  { developersCanPush, developersCanMerge }: DevelopersRights,
  ctx: Context,
): Promise<BranchRecord> {
  const repository = await findProtectableProject(ref, ctx);
  const branch = await findBranch(repository, name, ctx);
  const where = { projectId: repository.id, name };
  const levels = {
    ...(typeof developersCanPush === 'boolean' && { pushAccessLevel: levelFor(developersCanPush) }),
    ...(typeof developersCanMerge === 'boolean' && {
      mergeAccessLevel: levelFor(developersCanMerge),
    }),
  };
  await ctx.db.protectedBranch.createMany({
    data: [{ ...where, ...levels }],
    skipDuplicates: true,
  });
  await ctx.db.protectedBranch.updateMany({ where, data: levels });
  return showBranch(repository, branch, ctx);
}

/** Deletes the rule with the name of an existing branch; others may still match it. Masters. */
export async function unprotectBranch(
  ref: string,
  name: string,
  ctx: Context,
): Promise<BranchRecord> {
  const repository = await findProtectableProject(ref, ctx);
  const branch = await findBranch(repository, name, ctx);
  await ctx.db.protectedBranch.deleteMany({ where: { projectId: repository.id, name } });
  return showBranch(repository, branch, ctx);
}

type Levels = Pick<BranchRule, 'pushAccessLevel' | 'mergeAccessLevel'>;

/**
 * Protects all existing and future branches that match the name; masters. Throws if the name is
 * taken.
 */
export async function createProtectedBranch(
  ref: string,
  input: BranchRule,
  ctx: Context,
): Promise<number> {
  const { id: projectId } = await findProtectableProject(ref, ctx);
  const { name, pushAccessLevel, mergeAccessLevel } = input;
  refuseRuleName(name);
  refuseOtherLevels({ pushAccessLevel, mergeAccessLevel });
  const data = { projectId, name, pushAccessLevel, mergeAccessLevel };
  const { id } = await ctx.db.protectedBranch
    .create({ data, select: { id: true } })
    .catch(onUniqueViolation(() => conflict(`Protected branch '${name}' already exists`)));
  return id;
}

/** Changes the given levels of a rule and returns its id; masters. */
export async function updateProtectedBranch(
  ref: string,
  name: string,
  change: { readonly [Level in keyof Levels]?: number | null | undefined },
  ctx: Context,
): Promise<number> {
  const { id } = await findProtectedBranch(ref, name, ctx);
  const data = given(change);
  refuseOtherLevels(data);
  const { count } = await ctx.db.protectedBranch.updateMany({ where: { id }, data });
  if (count === 0) throw recordNotFound();
  return id;
}

/** Deletes a rule; masters. */
export async function deleteProtectedBranch(
  ref: string,
  name: string,
  ctx: Context,
): Promise<void> {
  const { id, createdAt } = await findProtectedBranch(ref, name, ctx);
  refuseModified({ updatedAt: createdAt }, ctx);
  const { count } = await ctx.db.protectedBranch.deleteMany({ where: { id } });
  if (count === 0) throw recordNotFound();
}
