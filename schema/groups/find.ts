import { Prisma } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import { batched } from '../kernel/batched.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, notFound, unauthenticated } from '../kernel/errors.ts';
import { byIdOrPath } from '../kernel/reference.ts';
import { allOf, anyOf, isAmong, isOpenTo, list } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { groupLevel, openTo } from '../kernel/viewer.ts';
import { reached } from './reach.ts';

const isExistingGroup = Prisma.raw(`kind = 'group' AND NOT is_removed`);

/**
 * The groups visible to a viewer, as an SQL condition: open ones, the viewer's own, their ancestors
 * and descendants, and those that contain a project the viewer is a member of (v4-behaviour 1.10).
 */
export function visibleGroups(viewer: Viewer | null): Prisma.Sql {
  if (viewer?.isAdmin) return isExistingGroup;
  const open = isOpenTo(viewer);
  if (!viewer) return allOf([isExistingGroup, open]);
  return allOf([
    isExistingGroup,
    anyOf([open, Prisma.sql`id IN (${reached.visibleGroups(viewer)})`]),
  ]);
}

/**
 * The groups that a user is a member of, directly or by inheritance. A cached list is compared with
 * the groups in index order, which stops at the end of the page; a join would sort all of them.
 */
export const groupsOf = (viewer: Viewer): Prisma.Sql =>
  allOf([
    isExistingGroup,
    viewer.reachableIds
      ? Prisma.sql`id = ANY(${list(viewer.reachableIds)})`
      : Prisma.sql`id IN (${reached.groups(viewer)})`,
  ]);

/** As `visibleGroups`, for one group already loaded. */
export async function isGroupVisible(
  {
    id,
    visibility,
    ancestorIds,
  }: Pick<Prisma.NamespaceGetPayload<object>, 'id' | 'visibility' | 'ancestorIds'>,
  { db, viewer }: Pick<Context, 'db' | 'viewer'>,
): Promise<boolean> {
  if (openTo(viewer).includes(visibility)) return true;
  if (!viewer) return false;
  if (viewer.isAdmin || groupLevel(viewer, ancestorIds) > Access.none) return true;
  if (viewer.knownGroupIds) return viewer.knownGroupIds.includes(id);
  const [row] = await db.$queryRaw<unknown[]>`
    SELECT id FROM namespaces WHERE id = ${id} AND ${visibleGroups(viewer)}`;
  return row !== undefined;
}

/** Whether the viewer may see the group with this id; for edges, the groups of all rows together. */
export const canSeeGroup = batched<number, boolean, Pick<Context, 'db' | 'viewer'>>(
  async (ids, { db, viewer }) => {
    const groups = await db.$queryRaw<{ id: number }[]>`
      SELECT id FROM namespaces WHERE ${isAmong(Prisma.raw('id'), ids)} AND ${visibleGroups(viewer)}`;
    return new Map(groups.map(({ id }) => [id, true]));
  },
  false,
);

/** A group by id or full path, unless it is removed. */
export const groupWhere = (ref: string) =>
  ({ ...byIdOrPath(ref), kind: 'group', isRemoved: false }) as const;

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
  ctx: Pick<Context, 'db' | 'viewer'>,
  rule?: (level: Access) => boolean,
) {
  const group = await ctx.db.namespace.findFirst({ where: groupWhere(ref) });
  return accessibleGroup(group, ctx, rule);
}

type Namespace = Prisma.NamespaceGetPayload<object>;

/** A group already loaded, with the viewer's `level`; throws as `findGroup` does. */
export async function accessibleGroup(
  group: Namespace | null,
  ctx: Pick<Context, 'db' | 'viewer'>,
  rule: (level: Access) => boolean = () => true,
) {
  const { viewer } = ctx;
  const exists = group?.kind === 'group' && !group.isRemoved;
  if (!exists || !(await isGroupVisible(group, ctx))) throw notFound('Group');
  const level = levelInGroup(viewer, group);
  if (!rule(level)) throw viewer ? forbidden() : unauthenticated();
  return { ...group, level };
}
