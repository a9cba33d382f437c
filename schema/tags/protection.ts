import { Prisma, type ProtectedTag } from '../../prisma/client.ts';
import { batched } from '../kernel/batched.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, recordNotFound } from '../kernel/errors.ts';
import { given } from '../kernel/given.ts';
import { orThrow } from '../kernel/results.ts';
import { onUniqueViolation } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { belongsTo } from '../listing/listing.ts';
import type { Page, PageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { findProject } from '../projects/find.ts';
import type { TagRule } from '../repository/push-rules.ts';
import { refuseOtherLevels, refuseRuleName } from '../repository/ref-access.ts';
import { canProtectTags } from './policy.ts';

/** The rules on a project's tags. */
export const tagRulesOf = (
  projectId: number,
  { db }: Pick<Context, 'db'>,
): Promise<readonly TagRule[]> =>
  db.protectedTag.findMany({
    where: { projectId },
    select: { name: true, createAccessLevel: true },
  });

/** As `tagRulesOf`, for fields: the rules of all projects of an operation are read together. */
export const tagRulesOfProjects = batched<number, readonly TagRule[], Pick<Context, 'db'>>(
  async (projectIds, { db }) => {
    const rules = await db.protectedTag.findMany({
      where: { projectId: { in: [...projectIds] } },
      select: { projectId: true, name: true, createAccessLevel: true },
    });
    return Map.groupBy(rules, ({ projectId }) => projectId);
  },
  [],
);

/** The project `ref`, if the viewer may protect its tags. */
export const findTagProtectableProject = (ref: string, ctx: Context) =>
  findProject(ref, ctx, (_viewer, level) => canProtectTags(level));

/** A rule by its name, if the viewer may see it; throws if it does not exist. */
export async function findProtectedTag(
  ref: string,
  name: string,
  ctx: Context,
): Promise<ProtectedTag> {
  const { id: projectId } = await findTagProtectableProject(ref, ctx);
  const where = { projectId_name: { projectId, name } };
  return orThrow(ctx.db.protectedTag.findUnique({ where }), recordNotFound);
}

/** A page of the rules on a project's tags, by name. */
export const listProtectedTags = (
  projectId: number,
  page: PageArgs,
  ctx: Pick<Context, 'db' | 'viewer'>,
): Page<ProtectedTag> =>
  pageOfRecords(ctx, {
    table: 'protected_tags',
    where: Prisma.sql`true`,
    column: 'name',
    direction: 'asc',
    page,
    parent: belongsTo('project_id', projectId),
  });

/** Protects all existing and future tags that match the name; masters. Throws if the name is taken. */
export async function createProtectedTag(
  ref: string,
  { name, createAccessLevel }: TagRule,
  ctx: Context,
): Promise<number> {
  const { id: projectId } = await findTagProtectableProject(ref, ctx);
  refuseRuleName(name);
  refuseOtherLevels({ createAccessLevel });
  const { id } = await ctx.db.protectedTag
    .create({ data: { projectId, name, createAccessLevel }, select: { id: true } })
    .catch(onUniqueViolation(() => conflict(`Protected tag '${name}' already exists`)));
  return id;
}

/** Changes the level of a rule, if one is given, and returns its id; masters. */
export async function updateProtectedTag(
  ref: string,
  name: string,
  change: { readonly createAccessLevel?: number | null | undefined },
  ctx: Context,
): Promise<number> {
  const { id } = await findProtectedTag(ref, name, ctx);
  const data = given(change);
  refuseOtherLevels(data);
  const { count } = await ctx.db.protectedTag.updateMany({ where: { id }, data });
  if (count === 0) throw recordNotFound();
  return id;
}

/** Deletes a rule; masters. */
export async function deleteProtectedTag(ref: string, name: string, ctx: Context): Promise<void> {
  const { id, createdAt } = await findProtectedTag(ref, name, ctx);
  refuseModified({ updatedAt: createdAt }, ctx);
  const { count } = await ctx.db.protectedTag.deleteMany({ where: { id } });
  if (count === 0) throw recordNotFound();
}
