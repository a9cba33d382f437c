import type { Transaction } from '../../prisma/client.ts';
import { findGroup } from '../groups/find.ts';
import { isWider } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import {
  type FieldErrors,
  forbidden,
  invalid,
  notFound,
  unauthenticated,
} from '../kernel/errors.ts';
import { byIdOrPath } from '../kernel/reference.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { insufficientLocks, onUniqueViolation, transact } from '../kernel/storage-errors.ts';
import { lockNamespace, shareLockNamespaces } from '../namespaces/lock.ts';
import { canReadNamespace } from '../namespaces/policy.ts';
import { findProject, levelInProject, levelSelection } from '../projects/find.ts';
import { lockProject } from '../projects/lock.ts';
import { moveRoute } from '../projects/move.ts';
import { canAdministerProject } from '../projects/policy.ts';
import { checkProjectLimit, mayCreateIn } from '../projects/target.ts';
import { levelsOf } from '../sessions/levels.ts';
import { relinkLabelsAndMilestones } from './relink-labels-and-milestones.ts';

/** Attempts, if concurrent transfers move the same project first. */
const mostAttempts = 20;

/** The argument that names the new namespace, to which refusals belong. */
type Argument = 'group' | 'namespace';

const refusals = {
  there: 'Transfer failed, please contact an admin.',
  path: 'Project with same path in target namespace already exists',
  name: 'Project with same name or path in target namespace already exists',
} as const;

const refusal = (argument: Argument, reason: keyof typeof refusals): FieldErrors => ({
  [argument]: [refusals[reason]],
});

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
  await moveInto(group, id, 'group', ctx);
  return { projectId: id, groupId: group.id };
}

/**
 * As `transferProject`, into a group or a personal namespace and for the owners of the project. They
 * must see the namespace, and be allowed to create projects there.
 */
export async function moveProject(
  projectRef: string,
  namespaceRef: string,
  ctx: Context,
): Promise<number> {
  const viewer = signedIn(ctx);
  const { id } = await findProject(projectRef, ctx, (_viewer, level) =>
    canAdministerProject(level),
  );
  const where = { ...byIdOrPath(namespaceRef), isRemoved: false };
  const target = await ctx.db.namespace.findFirst({ where });
  if (!target || !canReadNamespace(viewer, target)) throw notFound('Namespace');
  if (!mayCreateIn(target, viewer)) throw invalid(refusal('namespace', 'there'));
  await moveInto(target, id, 'namespace', ctx);
  return id;
}

interface Target {
  readonly id: number;
  readonly kind: 'user' | 'group';
}

async function moveInto(
  target: Target,
  id: number,
  argument: Argument,
  ctx: Context,
): Promise<void> {
  const request = { argument, userId: signedIn(ctx).id };
  await transact(ctx.db, (tx) => move(tx, id, target, request), mostAttempts).catch(
    onUniqueViolation(() => invalid(refusal(argument, 'name'))),
  );
  ctx.viewers.forgetAll();
}

interface Request {
  readonly argument: Argument;
  /** The user who moves the project. */
  readonly userId: number;
}

async function move(
  tx: Transaction,
  id: number,
  target: Target,
  { argument, userId }: Request,
): Promise<void> {
  const before = await tx.project.findUnique({ where: { id }, select: place });
  await lockBoth(tx, before ? [before.namespaceId] : [], target);
  const namespace = await tx.namespace.findFirst({ where: { id: target.id, isRemoved: false } });
  if (!namespace) throw notFound(argument === 'group' ? 'Group' : 'Namespace');
  const locked = await lockProject(tx, id);
  const select = { ...levelSelection({ id: userId }), ...place };
  const now = await tx.project.findUniqueOrThrow({
    relationLoadStrategy: 'join',
    where: { id },
    select,
  });
  // moved concurrently: the wrong namespaces are locked
  if (now.namespaceId !== before?.namespaceId) throw insufficientLocks;
  // the user may have lost the rights at either end while this waited for the locks
  const mover = await levelsOf(tx, userId);
  if (!mover || !canAdministerProject(levelInProject(mover, now))) throw forbidden();
  if (!mayCreateIn(namespace, mover)) throw invalid(refusal(argument, 'there'));
  if (namespace.id === now.namespaceId) throw invalid(refusal(argument, 'there'));
  if (namespace.ownerId !== null) await checkProjectLimit({ id: namespace.ownerId }, tx);
  const fullPath = `${namespace.fullPath}/${locked.path}`;
  await moveRoute(tx, { id, fullPath: locked.fullPath }, fullPath, refusal(argument, 'path'));
  const isTooWide = namespace.kind === 'group' && isWider(now.visibility, namespace.visibility);
  await tx.project.update({
    where: { id },
    data: {
      namespaceId: namespace.id,
      namespaceName: namespace.name,
      fullPath,
      fullName: `${namespace.fullName} / ${locked.name}`,
      ...(isTooWide && { visibility: namespace.visibility }),
    },
    select: { id: true },
  });
  await relinkLabelsAndMilestones(tx, [id]);
}

/** Locks the namespace of a project and the one that gets it; a personal one exclusively, because of its limit. */
const lockBoth = (tx: Transaction, from: readonly number[], { id, kind }: Target): Promise<void> =>
  kind === 'group' ? shareLockNamespaces(tx, [...from, id]) : lockNamespace(tx, { id }, from);

const place = { namespaceId: true, visibility: true } as const;
