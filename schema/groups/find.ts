import type { Prisma } from '../../prisma/client.ts';
import { Access, groupLevel, openTo } from '../kernel/access.ts';
import type { Context, Viewer } from '../kernel/context.ts';
import { forbidden, notFound, unauthenticated } from '../kernel/errors.ts';
import { byIdOrPath } from '../kernel/reference.ts';
import { unexpired, validMembership } from '../members/valid.ts';

/**
 * The groups a viewer may see, as a filter: open ones, one's own, what lies above and below those,
 * and what holds a project one is a member of (v4-behaviour 1.10).
 */
export function visibleGroups(viewer: Viewer | null): Prisma.NamespaceWhereInput {
  const there = { kind: 'group', isRemoved: false } as const;
  if (viewer?.isAdmin) return there;
  const open = { visibility: { in: [...openTo(viewer)] } };
  if (!viewer) return { ...there, ...open };
  return {
    ...there,
    OR: [
      open,
      { id: { in: [...viewer.groupPathIds] } },
      ...groupsOf(viewer),
      { projects: { some: { isRemoved: false, OR: reachedDirectly(viewer) } } },
    ],
  };
}

/** The groups somebody is a member of, directly or through one above. */
export const groupsOf = (viewer: Viewer): Prisma.NamespaceWhereInput[] =>
  viewer.reachableIds === null
    ? [{ ancestorIds: { hasSome: [...viewer.groupLevels.keys()] } }]
    : [{ id: { in: [...viewer.reachableIds] } }];

/** The projects somebody is a direct member of, and those shared with their groups. */
export const reachedDirectly = (viewer: Viewer): Prisma.ProjectWhereInput[] =>
  viewer.projectIds === null
    ? [
        { members: { some: validMembership(viewer.id) } },
        {
          groupLinks: {
            some: { ...unexpired(), namespace: { isRemoved: false, OR: groupsOf(viewer) } },
          },
        },
      ]
    : [{ id: { in: [...viewer.projectIds] } }];

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
