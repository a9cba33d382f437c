import type { Context } from '../kernel/context.ts';
import { notFound, unauthenticated } from '../kernel/errors.ts';
import { sourceColumns } from '../members/members.ts';
import {
  findGroupOrProject,
  type GroupOrProject,
  type GroupOrProjectRef,
} from '../projects/group-or-project.ts';
import { canManageVariables } from './policy.ts';

/** The group or project whose variables the viewer may manage. */
export async function findVariableSource(
  ref: GroupOrProjectRef,
  ctx: Pick<Context, 'db' | 'viewer'>,
): Promise<GroupOrProject> {
  // anonymous users get 401 even for public projects (v4-behaviour 1.4)
  if (!ctx.viewer) throw unauthenticated();
  return findGroupOrProject(ref, ctx, (_kind, level) => canManageVariables(level));
}

/** `404 GroupVariable Not Found` for a group, `404 Variable Not Found` for a project. */
export const variableNotFound = ({ kind }: Pick<GroupOrProject, 'kind'>) =>
  notFound(kind === 'group' ? 'GroupVariable' : 'Variable');

/** The variable `key`, if the viewer may manage it; throws if it does not exist. */
export async function findVariable(
  ref: GroupOrProjectRef,
  key: string,
  ctx: Pick<Context, 'db' | 'viewer'>,
) {
  const source = await findVariableSource(ref, ctx);
  const variable = await ctx.db.variable.findFirst({
    where: { ...sourceColumns(source), key },
    select: { id: true, updatedAt: true },
  });
  if (!variable) throw variableNotFound(source);
  return { ...variable, source };
}
