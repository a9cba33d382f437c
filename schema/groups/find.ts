import type { Prisma } from '../../prisma/client.ts';
import { Access, groupLevel, openTo } from '../kernel/access.ts';
import type { Context, Viewer } from '../kernel/context.ts';
import { forbidden, notFound, unauthenticated } from '../kernel/errors.ts';
import { byIdOrPath } from '../kernel/reference.ts';
import { validMembership } from '../members/valid.ts';

/**
 * The groups a viewer may see, as a filter: open ones, one's own, what lies above and below those,
 * and what holds a project one is a member of (v4-behaviour 1.10).
 */
export function visibleGroups(viewer: Viewer | null): Prisma.NamespaceWhereInput {
  if (viewer?.isAdmin) return { kind: 'group' };
  const open = { visibility: { in: [...openTo(viewer)] } };
  if (!viewer) return { kind: 'group', ...open };
  const groupIds = [...viewer.groupLevels.keys()];
  return {
    kind: 'group',
    OR: [
      open,
      { id: { in: [...viewer.groupPathIds] } },
      ...(groupIds.length > 0 ? [{ ancestorIds: { hasSome: groupIds } }] : []),
      { projects: { some: { members: { some: validMembership(viewer.id) } } } },
    ],
  };
}

export const levelInGroup = (
  viewer: Viewer | null,
  group: { readonly ancestorIds: readonly number[] },
): Access => {
  if (!viewer) return Access.none;
  return viewer.isAdmin ? Access.owner : groupLevel(viewer, group.ancestorIds);
};

/** The group `ref` (an id or a full path) if the viewer may see it and `rule` holds for their level. */
export async function findGroup(
  ref: string,
  { db, viewer }: Pick<Context, 'db' | 'viewer'>,
  rule: (level: Access) => boolean = () => true,
) {
  const group = await db.namespace.findFirst({
    where: { AND: [byIdOrPath(ref), visibleGroups(viewer)] },
  });
  if (!group) throw notFound('Group');
  const level = levelInGroup(viewer, group);
  if (!rule(level)) throw viewer ? forbidden() : unauthenticated();
  return { ...group, level };
}
