import { findGroup } from '../groups/find.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, notFound } from '../kernel/errors.ts';
import { findProject } from '../projects/find.ts';
import { canManageAttributes } from './policy.ts';

export const AttributeOwnerInput = builder.inputType('AttributeOwner', {
  description: 'Identifies the user, group or project that has custom attributes.',
  isOneOf: true,
  fields: (t) => ({
    user: t.int({ description: 'The id of the user.' }),
    group: t.id({ description: 'The group.' }),
    project: t.id({ description: 'The project.' }),
  }),
});

export type AttributeOwnerRef = typeof AttributeOwnerInput.$inferInput;

/** The table, column and id of an owner's attributes; table and column are constants. */
export interface AttributeOwner {
  readonly table:
    | 'user_custom_attributes'
    | 'namespace_custom_attributes'
    | 'project_custom_attributes';
  readonly column: 'user_id' | 'namespace_id' | 'project_id';
  readonly id: number;
  /** Its name in errors. */
  readonly name: 'User' | 'Group' | 'Project';
}

/** The owner whose attributes the viewer manages; others do not learn whether it exists. */
export async function findAttributeOwner(
  { user, group, project }: AttributeOwnerRef,
  ctx: Pick<Context, 'db' | 'viewer'>,
): Promise<AttributeOwner> {
  if (!canManageAttributes(ctx.viewer)) throw forbidden();
  if (group) {
    const { id } = await findGroup(group, ctx);
    return { table: 'namespace_custom_attributes', column: 'namespace_id', id, name: 'Group' };
  }
  if (project) {
    const { id } = await findProject(project, ctx);
    return { table: 'project_custom_attributes', column: 'project_id', id, name: 'Project' };
  }
  const existing = await ctx.db.user.findUnique({ where: { id: user ?? 0 }, select: { id: true } });
  if (!existing) throw notFound('User');
  return { table: 'user_custom_attributes', column: 'user_id', id: existing.id, name: 'User' };
}
