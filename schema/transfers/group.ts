import type { Prisma, Transaction } from '../../prisma/client.ts';
import { findGroup, groupWhere, levelInGroup } from '../groups/find.ts';
import { canAdministerGroup, canCreateGroup, canCreateSubgroup } from '../groups/policy.ts';
import { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { DomainError, invalid, notFound } from '../kernel/errors.ts';
import { pathFaults, routeKey } from '../kernel/names.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { onUniqueViolation, transact } from '../kernel/storage-errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { unexpired } from '../members/valid.ts';
import { lockNamespace } from '../namespaces/lock.ts';
import { moveNamespace } from '../namespaces/move.ts';
import { takenFaults } from '../namespaces/taken.ts';
import { levelsOf } from '../sessions/levels.ts';
import { relinkLabelsAndMilestones } from './relink-labels-and-milestones.ts';

type Group = Prisma.NamespaceGetPayload<object>;

/** Attempts, if concurrent transfers move the same groups first. */
const mostAttempts = 20;

const reasons = {
  root: 'Group is already a root group.',
  parent: 'Group is already associated to the parent group.',
  permission: "You don't have enough permissions.",
  path: 'The parent group already has a subgroup with the same path.',
  descendant: 'Cannot transfer group to one of its subgroup.',
  name: 'Validation failed: Name has already been taken',
} as const;

const refused = (reason: string) => invalid({ parent: [`Transfer failed: ${reason}`] });

/**
 * Moves a group with its subgroups and projects into another group, or to the top level without
 * `parentRef`, and returns its id. For owners of the group who may create subgroups in the new
 * parent, or groups at the top level. The old paths redirect, the repositories stay in their storage
 * folders, and the visibility of everything is limited to the new parent's.
 */
export async function moveGroup(
  ref: string,
  parentRef: string | null,
  ctx: Context,
): Promise<number> {
  const viewer = signedIn(ctx);
  const { id } = await findGroup(ref, ctx, canAdministerGroup);
  const parent = parentRef === null ? null : await findGroup(parentRef, ctx);
  if (!mayMoveTo(parent, viewer)) throw refused(reasons.permission);
  await transact(ctx.db, (tx) => move(tx, id, parent?.id ?? null, viewer), mostAttempts).catch(
    onUniqueViolation(() => refused(reasons.name)),
  );
  ctx.viewers.forgetAll();
  return id;
}

const mayMoveTo = (parent: Pick<Group, 'ancestorIds'> | null, viewer: Viewer): boolean =>
  parent ? canCreateSubgroup(levelInGroup(viewer, parent)) : canCreateGroup(viewer);

async function move(
  tx: Transaction,
  id: number,
  parentId: number | null,
  viewer: Viewer,
): Promise<void> {
  await lockNamespace(tx, { id }, parentId === null ? [] : [parentId]);
  const group = await lockedGroup(tx, id);
  const parent = parentId === null ? null : await lockedGroup(tx, parentId);
  await refuseUnfit(tx, group, parent);
  // a concurrent transfer or change of a membership may have changed the rights
  const levels = await levelsOf(tx, viewer.id);
  const mover = levels && { ...viewer, ...levels };
  const isAllowed =
    mover && canAdministerGroup(levelInGroup(mover, group)) && mayMoveTo(parent, mover);
  if (!isAllowed) throw refused(reasons.permission);
  const { projectIds } = await moveNamespace(tx, id, parent).catch(asTransferFailure);
  if (!parent) await ensureOwner(tx, id, viewer);
  const formerIds = group.ancestorIds.filter(
    (above) => above !== id && !parent?.ancestorIds.includes(above),
  );
  if (formerIds.length > 0) await relinkLabelsAndMilestones(tx, projectIds);
}

async function lockedGroup(tx: Transaction, id: number): Promise<Group> {
  const group = await tx.namespace.findFirst({ where: groupWhere(String(id)) });
  if (!group) throw notFound('Group');
  return group;
}

/** Throws if the group is there already, or if the place is below it, taken or reserved. */
async function refuseUnfit(
  tx: Transaction,
  { id, name, path, parentId }: Group,
  parent: Group | null,
): Promise<void> {
  if (parentId === (parent?.id ?? null)) throw refused(parent ? reasons.parent : reasons.root);
  if (parent?.ancestorIds.includes(id)) throw refused(reasons.descendant);
  const [unfit] = pathFaults(path, parent ? 'subgroup' : 'group');
  if (unfit !== undefined) throw refused(`Validation failed: Path ${unfit}`);
  const fullPath = parent ? `${parent.fullPath}/${path}` : path;
  const faults = await takenFaults(tx, { id, parentId: parent?.id ?? null, name, fullPath });
  if (faults.path) throw refused(await takenPath(tx, fullPath));
  if (faults.name) throw refused(reasons.name);
}

/** A project may have the path, or a redirect from the former path of another group or user. */
async function takenPath(tx: Transaction, fullPath: string): Promise<string> {
  const where = { key: routeKey(fullPath), namespaceId: { not: null } };
  const isSibling = (await tx.route.count({ where })) > 0;
  return isSibling ? reasons.path : 'Validation failed: Path has already been taken';
}

/** A path that would be too long is a fault of the new parent: the user entered nothing else. */
const asTransferFailure = (error: unknown): never => {
  const fault = error instanceof DomainError ? error.fields?.path?.[0] : undefined;
  throw fault === undefined ? error : refused(`Validation failed: Path ${fault}`);
};

/**
 * A group at the top level needs an owner of its own, and users keep what they moved: the user
 * becomes an owner if the rights came from the groups above. An administrator does if there is no owner.
 */
async function ensureOwner(tx: Transaction, namespaceId: number, viewer: Viewer): Promise<void> {
  const userId = viewer.id;
  const owners = { namespaceId, accessLevel: Access.owner, ...unexpired() };
  const where = viewer.isAdmin ? owners : { ...owners, userId };
  if ((await tx.member.count({ where })) > 0) return;
  await tx.member.upsert({
    where: { namespaceId_userId: { namespaceId, userId } },
    create: { namespaceId, userId, accessLevel: Access.owner },
    update: { accessLevel: Access.owner, expiresAt: null },
    select: { id: true },
  });
  await tx.accessRequest.deleteMany({ where: { namespaceId, userId } });
}
