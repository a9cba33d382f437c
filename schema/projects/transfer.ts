import type { Transaction } from '../../prisma/client.ts';
import { findGroup } from '../groups/find.ts';
import { isWider } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, invalid, notFound, unauthenticated } from '../kernel/errors.ts';
import { insufficientLocks, onUniqueViolation, transact } from '../kernel/storage-errors.ts';
import { shareLockNamespaces } from '../namespaces/routes.ts';
import { findProject } from './find.ts';
import { lockProject } from './lock.ts';
import { moveRoute } from './move.ts';
import { relinkLabelsAndMilestones } from './relink-labels-and-milestones.ts';

/** Attempts, if concurrent transfers move the same project first. */
const mostAttempts = 20;

const refusals = {
  there: { group: ['Transfer failed, please contact an admin.'] },
  path: { group: ['Project with same path in target namespace already exists'] },
  name: { group: ['Project with same name or path in target namespace already exists'] },
};

/**
 * Moves a project into a group and returns the ids of both; administrators only. The old path
 * redirects, the repository stays in its storage folder, and the visibility is limited to the
 * group's (specification, POST /groups/:id/projects/:project_id).
 */
export async function transferProject(
  groupRef: string,
  projectRef: string,
  ctx: Context,
): Promise<{ readonly projectId: number; readonly groupId: number }> {
  if (!ctx.viewer) throw unauthenticated();
  if (!ctx.viewer.isAdmin) throw forbidden();
  const group = await findGroup(groupRef, ctx);
  const { id } = await findProject(projectRef, ctx);
  await transact(ctx.db, (tx) => move(tx, id, group), mostAttempts).catch(
    onUniqueViolation(() => invalid(refusals.name)),
  );
  ctx.viewers.forgetAll();
  return { projectId: id, groupId: group.id };
}

async function move(
  tx: Transaction,
  id: number,
  target: { readonly id: number; readonly ancestorIds: readonly number[] },
): Promise<void> {
  const before = await tx.project.findUnique({ where: { id }, select: place });
  await shareLockNamespaces(tx, [...(before?.namespace.ancestorIds ?? []), ...target.ancestorIds]);
  const group = await tx.namespace.findFirst({ where: { id: target.id, isRemoved: false } });
  if (!group) throw notFound('Group');
  const locked = await lockProject(tx, id);
  const now = await tx.project.findUniqueOrThrow({ where: { id }, select: place });
  // moved concurrently: the wrong namespaces are locked
  if (now.namespaceId !== before?.namespaceId) throw insufficientLocks;
  if (group.id === now.namespaceId) throw invalid(refusals.there);
  const fullPath = `${group.fullPath}/${locked.path}`;
  await moveRoute(tx, { id, fullPath: locked.fullPath }, fullPath, refusals.path);
  await tx.project.update({
    where: { id },
    data: {
      namespaceId: group.id,
      namespaceName: group.name,
      fullPath,
      fullName: `${group.fullName} / ${locked.name}`,
      ...(isWider(now.visibility, group.visibility) && { visibility: group.visibility }),
    },
    select: { id: true },
  });
  await relinkLabelsAndMilestones(tx, id, group.ancestorIds);
}

const place = {
  namespaceId: true,
  visibility: true,
  namespace: { select: { ancestorIds: true } },
} as const;
