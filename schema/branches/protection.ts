import { Prisma, type ProtectedBranch } from '../../prisma/client.ts';
import { batched } from '../kernel/batched.ts';
import type { Context } from '../kernel/context.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { belongsTo } from '../listing/listing.ts';
import type { Page, PageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { findProject } from '../projects/find.ts';
import type { BranchRule, RefRules } from '../repository/push-rules.ts';
import { tagRulesOf } from '../tags/protection.ts';
import { canProtectBranches } from './policy.ts';

/** The rules on a project's branches. */
export const rulesOf = (
  projectId: number,
  { db }: Pick<Context, 'db'>,
): Promise<readonly BranchRule[]> =>
  db.protectedBranch.findMany({
    where: { projectId },
    select: { name: true, pushAccessLevel: true, mergeAccessLevel: true },
  });

/** The rules on a project's branches and tags. */
export async function refRulesOf(projectId: number, ctx: Pick<Context, 'db'>): Promise<RefRules> {
  const [rules, tagRules] = await Promise.all([
    rulesOf(projectId, ctx),
    tagRulesOf(projectId, ctx),
  ]);
  return { rules, tagRules };
}

/** As `rulesOf`, for fields: the rules of all projects of an operation are read together. */
export const rulesOfProjects = batched<number, readonly ProtectedBranch[], Pick<Context, 'db'>>(
  async (projectIds, { db }) => {
    const rules = await db.protectedBranch.findMany({
      where: { projectId: { in: [...projectIds] } },
    });
    return Map.groupBy(rules, ({ projectId }) => projectId);
  },
  [],
);

/** The project `ref`, if the viewer may protect its branches. */
export const findProtectableProject = (ref: string, ctx: Context) =>
  findProject(ref, ctx, (_viewer, level) => canProtectBranches(level));

/** A rule by its name, if the viewer may see it; throws if it does not exist. */
export async function findProtectedBranch(ref: string, name: string, ctx: Context) {
  const { id: projectId } = await findProtectableProject(ref, ctx);
  return orThrow(
    ctx.db.protectedBranch.findUnique({
      where: { projectId_name: { projectId, name } },
    }),
    recordNotFound,
  );
}

/** A page of the rules on a project's branches, by name. */
export function listProtectedBranches(
  projectId: number,
  { name, ...page }: PageArgs & { readonly name?: string },
  ctx: Pick<Context, 'db' | 'viewer'>,
): Page<ProtectedBranch> {
  return pageOfRecords(ctx, {
    table: 'protected_branches',
    where: name === undefined ? Prisma.sql`true` : Prisma.sql`name = ${name}`,
    column: 'name',
    direction: 'asc',
    page,
    parent: belongsTo('project_id', projectId),
  });
}
