import { canSeeGroup, findGroup } from '../groups/find.ts';
import { Group } from '../groups/types.ts';
import { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { statementCost } from '../kernel/cost.ts';
import { conflict, invalid, notFound } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { onUniqueViolation, transact } from '../kernel/storage-errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { groupLevel, openTo } from '../kernel/viewer.ts';
import { recordById } from '../listing/records.ts';
import { unexpired } from '../members/valid.ts';
import { findProject, type GroupLink, levelInProject, type ProjectWithLevel } from './find.ts';
import { canShareProject } from './policy.ts';

export const ProjectGroupLink = builder.objectRef<GroupLink>('ProjectGroupLink').implement({
  description:
    'A share of a project with a group: the members of the group have access to the project, up to a level.',
  fields: (t) => ({
    id: t.exposeInt('id', {
      description:
        'The id of the share. A client may use it as the key of a cache; `node` does not accept it.',
    }),
    group: t.prismaField({
      type: Group,
      nullable: true,
      description: 'The group. Null if the current user, a master of the project, may not see it.',
      complexity: statementCost,
      resolve: async (query, { namespace: { id } }, _args, ctx) => {
        const selection = { ...query };
        return (await canSeeGroup(id, ctx)) ? recordById(ctx, 'namespace', id, selection) : null;
      },
    }),
    groupId: t.int({
      extensions: internal,
      resolve: ({ namespace }) => namespace.id,
    }),
    groupName: t.string({
      extensions: internal,
      resolve: ({ namespace }) => namespace.name,
    }),
    accessLevel: t.exposeInt('accessLevel', {
      description:
        'The highest access level that the share gives; not owner. A member has at most the level in the group.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'Date',
      nullable: true,
      description: 'The day (UTC) at whose start the share ends; null for never.',
    }),
  }),
});

/**
 * The shares visible to a viewer: all of them to masters, to others those with groups they may see.
 */
export function visibleShares(project: ProjectWithLevel, viewer: Viewer | null): GroupLink[] {
  const links = project.groupLinks.filter(({ namespace }) => !namespace.isRemoved);
  if (links.length === 0 || canShareProject(levelInProject(viewer, project))) return links;
  const open = openTo(viewer);
  return links.filter(
    ({ namespace: { id, visibility, ancestorIds } }) =>
      open.includes(visibility) ||
      (viewer && (groupLevel(viewer, ancestorIds) > 0 || viewer.knownGroupIds?.includes(id))),
  );
}

export interface NewShare {
  readonly groupId: number;
  readonly accessLevel: number;
  readonly expiresAt?: Date | null | undefined;
}

const grantable: readonly number[] = [
  Access.guest,
  Access.reporter,
  Access.developer,
  Access.master,
];

/**
 * Shares a project with a group, up to an access level; masters only. Returns the ids of the share
 * and the project. Throws if the viewer may not see the group, if it already has a share, or if it
 * contains the project (v4-behaviour 2.5).
 */
export async function shareProject(
  ref: string,
  { groupId, accessLevel, expiresAt }: NewShare,
  ctx: Context,
): Promise<{ projectId: number; link: GroupLink }> {
  const { db } = ctx;
  const project = await findProject(ref, ctx, (_viewer, level) => canShareProject(level));
  if (!grantable.includes(accessLevel)) {
    throw invalid({ accessLevel: ['is not included in the list'] });
  }
  const group = await findGroup(String(groupId), ctx);
  if (project.namespace.ancestorIds.includes(group.id)) {
    throw conflict('Project cannot be shared with the group it is in or one of its ancestors.');
  }
  const link = await transact(db, async (tx) => {
    // an expired share is replaced
    const between = { projectId: project.id, namespaceId: group.id };
    await tx.projectGroupLink.deleteMany({ where: { ...between, NOT: unexpired() } });
    return tx.projectGroupLink.create({
      data: { ...between, accessLevel, expiresAt: expiresAt ?? null },
    });
  }).catch(onUniqueViolation(() => conflict('Group already shared with this group')));
  ctx.viewers.forgetAll();
  return { projectId: project.id, link: { ...link, namespace: group } };
}

/** Removes a share; masters only. */
export async function unshareProject(ref: string, groupId: number, ctx: Context): Promise<void> {
  const project = await findProject(ref, ctx, (_viewer, level) => canShareProject(level));
  const { count } = await ctx.db.projectGroupLink.deleteMany({
    where: { projectId: project.id, namespaceId: groupId },
  });
  if (count === 0) throw notFound('Group Link');
  ctx.viewers.forgetAll();
}
