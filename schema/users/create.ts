import type { Context } from '../kernel/context.ts';
import { conflict, type FieldErrors, refuseFaults } from '../kernel/errors.ts';
import { pathFaults, routeKey } from '../kernel/names.ts';
import { nextNamespaceId } from '../kernel/routes.ts';
import { isTaken } from '../kernel/storage-errors.ts';

export interface NewUser {
  readonly username: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly isAdmin?: boolean;
  readonly isExternal?: boolean;
  readonly canCreateGroup?: boolean;
  readonly projectsLimit?: number;
  readonly bio?: string | null;
  readonly location?: string | null;
  readonly organization?: string | null;
  readonly skype?: string;
  readonly linkedin?: string;
  readonly twitter?: string;
  readonly websiteUrl?: string;
  readonly identity?: { readonly provider: string; readonly externUid: string } | null;
}

/** The row of an access token that a user is born with. */
export interface FirstToken {
  readonly kind: 'private';
  readonly name: string;
  readonly digest: Uint8Array<ArrayBuffer>;
  readonly sealed: string;
  readonly scopes: string[];
}

const emailShape = /^[^@\s]+@[^@\s]+$/;

/**
 * Makes a user, the personal namespace of the same name and the private token, all or nothing.
 * Gives the new user's id; refuses taken names and e-mails as conflicts, bad ones as invalid.
 */
export async function createUser(
  { db, passwords, settings }: Pick<Context, 'db' | 'passwords' | 'settings'>,
  user: NewUser,
  token: FirstToken,
): Promise<number> {
  const faults = faultsOf(user);
  refuseFaults(faults);
  const { password, identity, username, email, ...rest } = user;
  const usernameKey = routeKey(username);
  const emailKey = email.toLowerCase();
  if (await db.user.findUnique({ where: { emailKey }, select: { id: true } })) {
    throw conflict('Email has already been taken');
  }
  const passwordDigest = await passwords.hash(password);
  try {
    return await db.$transaction(async (tx) => {
      const { id } = await tx.user.create({
        data: {
          ...rest,
          username,
          usernameKey,
          email,
          emailKey,
          passwordDigest,
          projectsLimit: user.projectsLimit ?? settings.current.defaultProjectsLimit,
          confirmedAt: new Date(),
          accessTokens: { create: token },
          ...(identity && { identities: { create: identity } }),
        },
        select: { id: true },
      });
      const namespaceId = await nextNamespaceId(tx);
      await tx.namespace.create({
        data: {
          id: namespaceId,
          kind: 'user',
          ownerId: id,
          name: username,
          path: username,
          fullName: username,
          fullPath: username,
          ancestorIds: [namespaceId],
          visibility: 'public',
          route: { create: { key: usernameKey } },
        },
        select: { id: true },
      });
      return id;
    });
  } catch (error) {
    if (!isTaken(error)) throw error;
    const isEmail = await db.user.findUnique({ where: { emailKey }, select: { id: true } });
    throw conflict(`${isEmail ? 'Email' : 'Username'} has already been taken`);
  }
}

const faultsOf = ({
  username,
  email,
  name,
  password,
  bio,
  projectsLimit,
}: NewUser): FieldErrors => ({
  username: pathFaults(username, 'user'),
  email: emailShape.test(email) && email.length <= 255 ? [] : ['is invalid'],
  name: name.trim() === '' ? ["can't be blank"] : tooLong(name, 128),
  password:
    password.length < 8 ? ['is too short (minimum is 8 characters)'] : tooLong(password, 128),
  bio: tooLong(bio ?? '', 255),
  projects_limit: (projectsLimit ?? 0) < 0 ? ['must be greater than or equal to 0'] : [],
});

const tooLong = (text: string, maximum: number) =>
  text.length > maximum ? [`is too long (maximum is ${maximum} characters)`] : [];
