import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, type DomainError, invalid, refuseFaults } from '../kernel/errors.ts';
import { routeKey } from '../kernel/names.ts';
import type { privateTokenRow } from '../kernel/private-token.ts';
import { isUniqueViolation, transact } from '../kernel/storage-errors.ts';
import { nextNamespaceId } from '../namespaces/routes.ts';
import { takenFaults } from '../namespaces/taken.ts';
import { emailKey, isAddressTaken, lockAddress, releaseUnverified } from './addresses.ts';
import { type DirectoryIdentity, type UserDetails, userFaults } from './faults.ts';

export interface NewUser extends UserDetails {
  readonly username: string;
  readonly email: string;
  readonly name: string;
  /** Without a password, users sign in through a directory only. */
  readonly password?: string;
  /** Whether another person sets the password. */
  readonly isPasswordGiven?: boolean;
  /** An administrator or a directory gave the address. */
  readonly isEmailVerified?: boolean;
  /** Takes the address from a user who has it without a verification. */
  readonly takesAddressOver?: boolean;
}

export const emailTaken = () => conflict('Email has already been taken');

export const usernameTaken = () => conflict('Username has already been taken');

/**
 * Creates a user with the personal namespace of the same name and the private token, all or
 * nothing. Returns the new user's id; throws `conflict` for taken names and e-mails, `invalid` for
 * bad ones.
 */
export async function createUser(
  { db, passwords, settings }: Pick<Context, 'db' | 'passwords' | 'settings'>,
  user: NewUser,
  token: ReturnType<typeof privateTokenRow>,
): Promise<number> {
  refuseFaults(userFaults(user));
  const { password, identity, username, email, isEmailVerified, takesAddressOver, ...rest } = user;
  const key = emailKey(email);
  // before the slow hash, and again under the lock
  if (!takesAddressOver && (await isAddressTaken(db, key))) throw emailTaken();
  const passwordDigest = password === undefined ? null : await passwords.hash(password);
  try {
    return await transact(db, async (tx) => {
      await lockAddress(tx, key);
      if (takesAddressOver) await releaseUnverified(tx, key);
      if (await isAddressTaken(tx, key)) throw emailTaken();
      if (!(await isUsernameFree(tx, username))) throw usernameTaken();
      const { id } = await tx.user.create({
        data: {
          ...rest,
          username,
          usernameKey: routeKey(username),
          email,
          emailKey: key,
          passwordDigest,
          projectsLimit: user.projectsLimit ?? settings.current.defaultProjectsLimit,
          confirmedAt: new Date(),
          ...(isEmailVerified && { emailVerifiedAt: new Date() }),
          accessTokens: { create: token },
          ...(identity && { identities: { create: identity } }),
        },
        select: { id: true },
      });
      await createNamespace(tx, id, username);
      return id;
    });
  } catch (error) {
    throw isUniqueViolation(error) ? await takenFault(db, identity) : error;
  }
}

/** Whether a new user may have this name, which is also the path of the personal namespace. */
export async function isUsernameFree(tx: Transaction, username: string): Promise<boolean> {
  const faults = await takenFaults(tx, { parentId: null, name: username, fullPath: username });
  return Object.keys(faults).length === 0;
}

async function createNamespace(tx: Transaction, ownerId: number, name: string): Promise<void> {
  const id = await nextNamespaceId(tx);
  await tx.namespace.create({
    data: {
      id,
      kind: 'user',
      ownerId,
      name,
      path: name,
      fullName: name,
      fullPath: name,
      ancestorIds: [id],
      visibility: 'public',
      route: { create: { key: routeKey(name) } },
    },
    select: { id: true },
  });
}

/**
 * The error of a concurrent creation: an identity, or a name. The address is locked, so it is not
 * the cause.
 */
export async function takenFault(
  db: Transaction,
  identity: DirectoryIdentity | null | undefined,
  exceptId = 0,
): Promise<DomainError> {
  const holder =
    identity &&
    (await db.identity.findUnique({
      where: { provider_externUid: { ...identity } },
      select: { userId: true },
    }));
  return holder && holder.userId !== exceptId
    ? invalid({ externUid: ['has already been taken'] })
    : usernameTaken();
}
