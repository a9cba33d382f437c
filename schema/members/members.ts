import type { Prisma } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, forbidden, invalid, notFound, recordNotFound } from '../kernel/errors.ts';
import { isTaken, transact } from '../kernel/storage-errors.ts';
import { canBeGranted } from './policy.ts';
import { unexpired } from './valid.ts';

export type SourceKind = 'group' | 'project';

/** A group or project whose direct members are spoken of. */
export interface MemberSource {
  readonly kind: SourceKind;
  readonly id: number;
  /** Of a personal project: its owner, who stays a member. */
  readonly ownerId: number | null;
}

export interface Grant {
  readonly userId: number;
  readonly accessLevel: number;
  readonly expiresAt?: Date | null;
}

/** The columns that say which group or project something belongs to: for its `where` and its `data`. */
export const belongingTo = ({ kind, id }: Pick<MemberSource, 'kind' | 'id'>) =>
  kind === 'group' ? { namespaceId: id } : { projectId: id };

/** Makes `userId` a direct member; gives the membership's id (v4-behaviour 3.2). */
export async function addMember(
  source: MemberSource,
  { userId, accessLevel, expiresAt }: Grant,
  { db, viewers }: Context,
): Promise<number> {
  checkLevel(source, accessLevel);
  const user = await db.user.findUnique({ where: { id: userId }, select: { id: true } });
  if (!user) throw notFound('User');
  try {
    // tried again when whom it meets, somebody who removes the user or the group, got the way
    const { id } = await transact(db, (tx) =>
      tx.member.create({
        data: {
          userId,
          accessLevel,
          expiresAt: expiresAt ?? null,
          ...belongingTo(source),
        },
        select: { id: true },
      }),
    );
    viewers.forget(userId);
    return id;
  } catch (error) {
    if (isTaken(error)) throw conflict('Member already exists');
    throw error;
  }
}

export async function changeMember(
  source: MemberSource,
  { userId, accessLevel, expiresAt }: Grant,
  { db, viewers }: Context,
): Promise<number> {
  checkLevel(source, accessLevel);
  const id = await transact(db, async (tx) => {
    const member = await lockMember(tx, source, userId);
    if (accessLevel < Access.owner || expiresAt) await keepLastOwner(tx, source, member);
    await tx.member.update({
      where: { id: member.id },
      data: { accessLevel, ...(expiresAt !== undefined && { expiresAt }) },
      select: { id: true },
    });
    return member.id;
  });
  viewers.forget(userId);
  return id;
}

/** Ends a membership; a group keeps its last owner and a personal project its own. */
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
  });
  viewers.forget(userId);
}

function checkLevel({ kind }: MemberSource, accessLevel: number): void {
  if (!canBeGranted(kind, accessLevel)) {
    throw invalid({ access_level: ['is not included in the list'] });
  }
}

type Found = { readonly id: number; readonly accessLevel: number };

/** The group's row is locked first: of two last owners leaving at once, one has to stay. */
async function lockMember(
  tx: Prisma.TransactionClient,
  source: MemberSource,
  userId: number,
): Promise<Found> {
  if (source.kind === 'group') {
    await tx.$queryRaw`SELECT id FROM namespaces WHERE id = ${source.id} FOR UPDATE`;
  }
  const member = await tx.member.findFirst({
    where: { ...belongingTo(source), userId },
    select: { id: true, accessLevel: true },
  });
  if (!member) throw recordNotFound();
  return member;
}

async function keepLastOwner(
  tx: Prisma.TransactionClient,
  { kind, id }: MemberSource,
  member: Found,
): Promise<void> {
  if (kind !== 'group' || member.accessLevel < Access.owner) return;
  const others = await tx.member.count({
    where: { namespaceId: id, accessLevel: Access.owner, id: { not: member.id }, ...unexpired() },
  });
  if (others === 0) throw forbidden();
}
