import type { Prisma, Transaction } from '../../prisma/client.ts';
import { canCreateProjectIn } from '../groups/policy.ts';
import type { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { DomainError, forbidden, invalid, notFound, unauthenticated } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { groupLevel } from '../kernel/viewer.ts';
import { unexpired } from '../members/valid.ts';
import { lockNamespace, shareLockNamespaces } from '../namespaces/lock.ts';

/** The owner of a new project. */
export type ProjectOwner = Pick<Viewer, 'id' | 'isAdmin' | 'groupLevels'>;

/** The namespace for a new project. */
export type TargetNamespace = Pick<
  Prisma.NamespaceGetPayload<object>,
  'id' | 'kind' | 'ownerId' | 'ancestorIds' | 'visibility' | 'name' | 'fullName' | 'fullPath'
>;

/** The namespace that `where` selects if `owner` may create projects in it, else null. */
export async function findTargetNamespace(
  where: Prisma.NamespaceWhereInput,
  owner: ProjectOwner,
  { db }: Pick<Context, 'db'>,
): Promise<TargetNamespace | null> {
  const namespace = await db.namespace.findFirst({ where: { ...where, isRemoved: false } });
  return namespace && mayCreateIn(namespace, owner) ? namespace : null;
}

/** Whether `owner` may create projects in the namespace. */
export const mayCreateIn = (
  { kind, ownerId, ancestorIds }: TargetNamespace,
  owner: ProjectOwner,
): boolean =>
  owner.isAdmin ||
  ownerId === owner.id ||
  (kind === 'group' && canCreateProjectIn(groupLevel(owner, ancestorIds)));

/**
 * Locks the namespace until the project is created; a personal one exclusively, because of its
 * limit.
 */
export async function lockTargetNamespace(
  tx: Transaction,
  { id, kind }: TargetNamespace,
): Promise<TargetNamespace> {
  if (kind === 'user') await lockNamespace(tx, { id });
  else await shareLockNamespaces(tx, [id]);
  const namespace = await tx.namespace.findFirst({ where: { id, isRemoved: false } });
  if (!namespace) throw invalid({ namespace: ['is not valid'] });
  return namespace;
}

/** Throws if `owner` has reached the limit of personal projects. */
export async function checkProjectLimit(
  owner: Pick<ProjectOwner, 'id'>,
  db: Transaction,
): Promise<void> {
  const { projectsLimit } = await db.user.findUniqueOrThrow({
    where: { id: owner.id },
    select: { projectsLimit: true },
  });
  const count = await db.project.count({
    where: { namespace: { ownerId: owner.id }, isRemoved: false },
  });
  if (count < projectsLimit) return;
  const text =
    projectsLimit === 0
      ? 'Personal project creation is not allowed. Please contact your administrator with questions'
      : `Your project limit is ${projectsLimit} projects! Please contact your administrator to increase it`;
  throw new DomainError('FORBIDDEN', text, { reason: 'project-limit' });
}

/** The owner of a new project: the viewer, or the user that an administrator names. */
export async function findOwner(id: number | null, { db, viewer }: Context): Promise<ProjectOwner> {
  if (!viewer) throw unauthenticated();
  if (id === null || id === viewer.id) return viewer;
  if (!viewer.isAdmin) throw forbidden();
  const user = await db.user.findUnique({
    where: { id },
    select: {
      id: true,
      isAdmin: true,
      memberships: {
        where: { namespace: { isRemoved: false }, ...unexpired() },
        select: { namespaceId: true, accessLevel: true },
      },
    },
  });
  if (!user) throw notFound('User');
  const levels = user.memberships.flatMap(({ namespaceId, accessLevel }) =>
    namespaceId === null ? [] : [[namespaceId, accessLevel as Access] as const],
  );
  return { id: user.id, isAdmin: user.isAdmin, groupLevels: new Map(levels) };
}
