import { findGroup } from '../groups/find.ts';
import type { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import type { MemberSource } from '../members/members.ts';
import { canManageMembers } from '../members/policy.ts';
import { findProject } from './find.ts';

/** A group or a project, by id or full path: what belongs to either is written once. */
export const MemberSourceInput = builder.inputType('MemberSource', {
  isOneOf: true,
  fields: (t) => ({ group: t.id(), project: t.id() }),
});

type Asked = typeof MemberSourceInput.$inferInput;
type Rule = (kind: MemberSource['kind'], level: Access) => boolean;

/** The group or project if the viewer may see it and `rule` holds for their level, or a refusal. */
export async function findSource(
  { group, project }: Asked,
  ctx: Context,
  rule: Rule = () => true,
): Promise<MemberSource> {
  if (group) {
    const { id } = await findGroup(group, ctx, (level) => rule('group', level));
    return { kind: 'group', id, ownerId: null };
  }
  const found = await findProject(project ?? '', ctx, (_viewer, level) => rule('project', level));
  return { kind: 'project', id: found.id, ownerId: found.namespace.ownerId };
}

/** The source whose members the viewer manages. */
export const findManaged = (source: Asked, ctx: Context): Promise<MemberSource> =>
  findSource(source, ctx, canManageMembers);
