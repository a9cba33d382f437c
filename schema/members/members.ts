import type { Prisma } from '../../prisma/client.ts';
import { recordEvent } from '../activity/record.ts';
import { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, forbidden, invalid, notFound, recordNotFound } from '../kernel/errors.ts';
import { onUniqueViolation, transact } from '../kernel/storage-errors.ts';
import { canBeGranted } from './policy.ts';
import { unexpired } from './valid.ts';

export type SourceKind = 'group' | 'project';

/** A group or project with direct members. */
export interface MemberSource {
  readonly kind: SourceKind;
  readonly id: number;
  /** The owner of a personal project, who stays a member. */
  readonly ownerId: number | null;
}

export interface MembershipInput {
  readonly userId: number;
  readonly accessLevel: number;
  readonly expiresAt?: Date | null;
}

/** A change of a membership: absent fields stay as they are, and null removes the end. */
export type MembershipChange = Pick<MembershipInput, 'userId'> & Partial<MembershipInput>;

/** The column and id of a group or project, for the `where` and `data` of its resources. */
export const sourceColumns = ({ kind, id }: Pick<MemberSource, 'kind' | 'id'>) =>
  kind === 'group' ? { namespaceId: id } : { projectId: id };

/**
 * Adds a direct member and deletes the user's access request; returns the membership's id
 * (v4-behaviour 3.2).
 */
export async function addMember(
  source: MemberSource,
  grant: MembershipInput,
  { db, viewers }: Context,
): Promise<number> {
  checkAccessLevel(source, grant.accessLevel);
  // retried after losing a conflict with a concurrent removal of the user or group
  const id = await transact(db, async (tx) => {
    if (!(await lockUser(tx, grant.userId))) throw notFound('User');
    await deleteAccessRequest(tx, source, grant.userId);
    return createMember(tx, source, grant);
  });
  viewers.forget(grant.userId);
  return id;
}

/**
 * Locks a user against concurrent memberships and access requests until the transaction ends,
 * because a user must not have both. False if the user does not exist.
 */
export async function lockUser(tx: Prisma.TransactionClient, id: number): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT id FROM users WHERE id = ${id} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** Deletes a user's access request; false if there is none. */
export async function deleteAccessRequest(
  tx: Prisma.TransactionClient,
  source: Pick<MemberSource, 'kind' | 'id'>,
  userId: number,
): Promise<boolean> {
  const { count } = await tx.accessRequest.deleteMany({
    where: { ...sourceColumns(source), userId },
  });
  return count > 0;
}

/** Creates the membership and returns its id; throws `conflict` if the user is already a member. */
export async function createMember(
  tx: Prisma.TransactionClient,
  source: Pick<MemberSource, 'kind' | 'id'>,
  { userId, accessLevel, expiresAt }: MembershipInput,
): Promise<number> {
  const { id } = await tx.member
    .create({
      data: { userId, accessLevel, expiresAt: expiresAt ?? null, ...sourceColumns(source) },
      select: { id: true },
    })
    .catch(onUniqueViolation(() => conflict('Member already exists')));
  await recordMembership(tx, source, userId, 'joined');
  return id;
}

export async function updateMember(
  source: MemberSource,
  { userId, ...change }: MembershipChange,
  { db, viewers }: Context,
): Promise<number> {
  const { accessLevel = Access.owner, expiresAt } = change;
  if (change.accessLevel !== undefined) checkAccessLevel(source, accessLevel);
  const id = await transact(db, async (tx) => {
    const member = await lockMember(tx, source, userId);
    if (accessLevel < Access.owner || expiresAt) await keepLastOwner(tx, source, member);
    await tx.member.update({ where: { id: member.id }, data: change, select: { id: true } });
    return member.id;
  });
  viewers.forget(userId);
  return id;
}

/** Removes a membership. A group keeps its last owner, and a personal project its owner. */
export async function removeMember(
  source: MemberSource,
  userId: number,
  { db, viewers }: Context,
): Promise<void> {
  await transact(db, async (tx) => {
    const member = await lockMember(tx, source, userId);
    if (source.ownerId === userId) throw forbidden();
    await keepLastOwner(tx, source, member);
    await tx.member.delete({ where: { id: member.id }, select: { id: true } });
    await recordMembership(tx, source, userId, 'left');
  });
  viewers.forget(userId);
}

/** Only projects have events. */
async function recordMembership(
  tx: Prisma.TransactionClient,
  { kind, id }: Pick<MemberSource, 'kind' | 'id'>,
  userId: number,
  action: 'joined' | 'left',
): Promise<void> {
  if (kind === 'project') await recordEvent(tx, { projectId: id, authorId: userId, action });
}

/** Throws if the source does not have this access level. */
export function checkAccessLevel({ kind }: Pick<MemberSource, 'kind'>, accessLevel: number): void {
  if (!canBeGranted(kind, accessLevel)) {
    throw invalid({ accessLevel: ['is not included in the list'] });
  }
}

type MembershipRow = { readonly id: number; readonly accessLevel: number };

/** Locks the group's row first: of two last owners who leave concurrently, one must stay. */
async function lockMember(
  tx: Prisma.TransactionClient,
  source: MemberSource,
  userId: number,
): Promise<MembershipRow> {
  if (source.kind === 'group') {
    await tx.$queryRaw`SELECT id FROM namespaces WHERE id = ${source.id} FOR UPDATE`;
  }
  const member = await tx.member.findFirst({
    where: { ...sourceColumns(source), userId },
    select: { id: true, accessLevel: true },
  });
  if (!member) throw recordNotFound();
  return member;
}

async function keepLastOwner(
  tx: Prisma.TransactionClient,
  { kind, id }: MemberSource,
  member: MembershipRow,
): Promise<void> {
  if (kind !== 'group' || member.accessLevel < Access.owner) return;
  const others = await tx.member.count({
    where: { namespaceId: id, accessLevel: Access.owner, id: { not: member.id }, ...unexpired() },
  });
  if (others === 0) throw forbidden();
}
