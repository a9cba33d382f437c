import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, type DomainError, invalid, refuseFaults } from '../kernel/errors.ts';
import { routeKey } from '../kernel/names.ts';
import { nextNamespaceId } from '../kernel/routes.ts';
import { isUniqueViolation, transact } from '../kernel/storage-errors.ts';
import { takenFaults } from '../namespaces/taken.ts';
import { emailKey, holdAddress, isAddressTaken } from './addresses.ts';
import { type OuterIdentity, type UserDetails, userFaults } from './faults.ts';

export interface NewUser extends UserDetails {
  readonly username: string;
  readonly email: string;
  readonly name: string;
  /** Without one they sign in through a directory only. */
  readonly password?: string;
}

/** The row of an access token that a user is born with. */
export interface FirstToken {
  readonly kind: 'private';
  readonly name: string;
  readonly digest: Uint8Array<ArrayBuffer>;
  readonly sealed: string;
  readonly scopes: string[];
}

export const emailTaken = () => conflict('Email has already been taken');

export const usernameTaken = () => conflict('Username has already been taken');

/**
 * Makes a user, the personal namespace of the same name and the private token, all or nothing.
 * Gives the new user's id; refuses taken names and e-mails as conflicts, bad ones as invalid.
 */
export async function createUser(
  { db, passwords, settings }: Pick<Context, 'db' | 'passwords' | 'settings'>,
  user: NewUser,
  token: FirstToken,
): Promise<number> {
  refuseFaults(userFaults(user));
  const { password, identity, username, email, ...rest } = user;
  const key = emailKey(email);
  // before the slow hash, and again under the lock
  if (await isAddressTaken(db, key)) throw emailTaken();
  const passwordDigest = password === undefined ? null : await passwords.hash(password);
  try {
    return await transact(db, async (tx) => {
      await holdAddress(tx, key);
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

/** Whether the personal namespace of a new user may have this name, which is its path as well. */
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

/** What two asked for at one moment: an identity, or a name. The address is held and cannot be it. */
export async function takenFault(
  db: Transaction,
  identity: OuterIdentity | null | undefined,
  exceptId = 0,
): Promise<DomainError> {
  const holder =
    identity &&
    (await db.identity.findUnique({
      where: { provider_externUid: { ...identity } },
      select: { userId: true },
    }));
  return holder && holder.userId !== exceptId
    ? invalid({ extern_uid: ['has already been taken'] })
    : usernameTaken();
}
