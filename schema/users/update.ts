import type { Transaction } from '../../prisma/client.ts';
import { type AvatarInput, refuseBadAvatar, replaceAvatar } from '../kernel/avatar.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, DomainError, forbidden, notFound, refuseFaults } from '../kernel/errors.ts';
import { routeKey } from '../kernel/names.ts';
import { isUniqueViolation, transact } from '../kernel/storage-errors.ts';
import { lockNamespace } from '../namespaces/lock.ts';
import { renameNamespace } from '../namespaces/rename.ts';
import { emailKey, isAddressTaken, lockAddress } from './addresses.ts';
import { emailTaken, takenFault, usernameTaken } from './create.ts';
import { endOtherSessions } from './end-sessions.ts';
import { lockRights, rightsChange } from './external-rights.ts';
import { type DirectoryIdentity, type UserDetails, userFaults } from './faults.ts';
import { canManageUsers } from './policy.ts';

/** The new values of a user; omitted fields stay unchanged. */
export interface UserChange extends UserDetails {
  /** Whether the primary address, also a new one, is that of the user. */
  readonly isEmailVerified?: boolean;
}

/**
 * Updates the given fields of a user; administrators only. A new username renames the personal
 * namespace and everything below it, and the old paths redirect. Throws `conflict` for taken names
 * and addresses, `invalid` for bad ones (v4-behaviour 3.1).
 */
export async function updateUser(
  id: number,
  change: UserChange,
  ctx: Pick<Context, 'db' | 'passwords' | 'settings' | 'uploads' | 'viewer' | 'viewers'>,
  avatar: AvatarInput,
): Promise<void> {
  const { db, viewer, passwords } = ctx;
  if (!canManageUsers(viewer)) throw forbidden();
  const user = await db.user.findUnique({ where: { id }, select: { emailKey: true } });
  if (!user) throw notFound('User');
  refuseFaults(userFaults(change));
  await refuseBadAvatar(avatar, ctx);
  const { password, identity, username, email, isEmailVerified, ...columns } = change;
  const key = email === undefined ? user.emailKey : emailKey(email);
  const data = {
    ...columns,
    ...(username !== undefined && { username, usernameKey: routeKey(username) }),
    ...(email !== undefined && { email, emailKey: key }),
    // clients send the address back with every change, which says nothing of it
    ...(key !== user.emailKey && { emailVerifiedAt: new Date() }),
    ...(isEmailVerified !== undefined && { emailVerifiedAt: isEmailVerified ? new Date() : null }),
    ...(password !== undefined && {
      passwordDigest: await passwords.hash(password),
      isPasswordGiven: id !== viewer?.id,
    }),
  };
  try {
    await transact(db, async (tx) => {
      if (email !== undefined) await lockNewAddress(tx, id, key);
      else if (isEmailVerified) await lockOwnAddress(tx, id, key);
      if (username !== undefined) await rename(tx, id, username);
      if (identity) await changeIdentity(tx, id, identity);
      // last, because namespaces are locked before their owners
      if (Object.keys(data).length > 0) {
        const before = await lockRights(tx, id);
        const rights = before && rightsChange(before, change, ctx.settings);
        await tx.user.update({ where: { id }, data: { ...data, ...rights }, select: { id: true } });
      }
      if (password !== undefined) await endOtherSessions(id, null, tx);
    });
  } catch (error) {
    throw isUniqueViolation(error) ? await takenFault(db, identity, id) : error;
  }
  await replaceAvatar({ kind: 'user', id }, avatar, ctx);
  ctx.viewers.forget(id);
}

/**
 * Locks the address and checks that it is free; a further address of the user is promoted to the
 * primary one.
 */
async function lockNewAddress(tx: Transaction, userId: number, key: string): Promise<void> {
  await lockAddress(tx, key);
  if (await isAddressTaken(tx, key, userId)) throw emailTaken();
  await tx.email.deleteMany({ where: { emailKey: key, userId } });
}

/** Locks the address that is verified: a directory may have given it to another user meanwhile. */
async function lockOwnAddress(tx: Transaction, id: number, key: string): Promise<void> {
  await lockAddress(tx, key);
  const count = await tx.user.count({ where: { id, emailKey: key } });
  if (count === 0) throw conflict('The e-mail address has changed meanwhile');
}

async function rename(tx: Transaction, userId: number, username: string): Promise<void> {
  const namespace = await tx.namespace.findUnique({
    where: { ownerId: userId },
    select: { id: true },
  });
  if (!namespace) throw notFound('User');
  await lockNamespace(tx, namespace);
  try {
    await renameNamespace(tx, namespace.id, { name: username, path: username });
  } catch (error) {
    // nothing below a personal namespace is deep enough for its path to become too long
    throw error instanceof DomainError && (error.fields?.path ?? error.fields?.name)
      ? usernameTaken()
      : error;
  }
}

/** A user has one identity per directory, so a new one replaces it. */
async function changeIdentity(
  tx: Transaction,
  userId: number,
  { provider, externUid }: DirectoryIdentity,
): Promise<void> {
  const { count } = await tx.identity.updateMany({
    where: { userId, provider },
    data: { externUid },
  });
  if (count === 0) {
    await tx.identity.create({ data: { userId, provider, externUid }, select: { id: true } });
  }
}
