import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
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
  signedIn(ctx);
  return findGroupOrProject(ref, ctx, canManageVariables);
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
