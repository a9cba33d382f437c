import type { Identity, User } from '../../prisma/client.ts';
import { type AuditedAction, keptText, recordAudit } from '../kernel/audit.ts';
import { type Context, noRequest } from '../kernel/context.ts';
import { DomainError } from '../kernel/errors.ts';
import { pathFaults } from '../kernel/names.ts';
import { privateTokenRow } from '../kernel/private-token.ts';
import type { Directory, DirectoryPerson } from '../ports/directory.ts';
import type { AccountOwner, CheckGuess } from '../ports/sign-in-limits.ts';
import { emailKey, unverifiedHolder } from '../users/addresses.ts';
import { createUser, isUsernameFree } from '../users/create.ts';

/** The provider of directory identities, as v4 clients know it. */
export const directoryProvider = 'ldapmain';

type Parts = Pick<Context, 'db' | 'passwords' | 'secrets' | 'settings'>;

/** The account under which failed sign-ins of a user are counted. */
export const accountOfUser = (userId: number): string => `user ${userId}`;

/** Directories ignore case. */
const externUidOf = (dn: string) => dn.toLowerCase();

/**
 * The user that the directory authenticates with this login and password, or null; created with an
 * identity at the first sign-in. A user blocked because they were missing from the directory is
 * unblocked (specification, Session).
 */
export async function findInDirectory(
  { login, password }: { readonly login: string; readonly password: string },
  directory: Directory,
  countFor: Parameters<CheckGuess>[0],
  parts: Parts,
): Promise<User | null> {
  const person = await directory.authenticate(login, password, async (dn) =>
    countFor(await ownerOf(dn, parts)),
  );
  if (!person) return null;
  const user =
    (await lookupDirectoryUser(person.dn, parts)) ?? (await createDirectoryUser(person, parts));
  return user && unblockReturned(user, parts);
}

/** The account of a directory entry, the same for every spelling of its login. */
async function ownerOf(dn: string, parts: Parts): Promise<AccountOwner> {
  const user = await lookupDirectoryUser(dn, parts);
  if (user) return { account: accountOfUser(user.id), userId: user.id };
  const digest = parts.secrets.digest(externUidOf(dn));
  return { account: `directory ${Buffer.from(digest).toString('hex')}` };
}

/**
 * An existing directory user, if this is their directory password, whatever their local username;
 * or null. Users missing from the directory are blocked, and unblocked when they are back.
 */
export async function checkInDirectory(
  user: User & { readonly identities: readonly Pick<Identity, 'externUid'>[] },
  password: string,
  directory: Directory,
  { db }: Pick<Context, 'db'>,
): Promise<User | null> {
  const dn = user.identities[0]?.externUid ?? '';
  if (await directory.isPasswordOf(dn, password)) {
    await verifyAddress(user, dn, directory, { db });
    return unblockReturned(user, { db });
  }
  // an unavailable directory blocks no user
  const isThere = await directory.knows(dn).catch(() => true);
  if (!isThere) await follow(user.id, false, db);
  return null;
}

/** Verifies the address of a user if the directory has the same one. */
async function verifyAddress(
  { id, emailKey: key, emailVerifiedAt }: User,
  dn: string,
  directory: Directory,
  { db }: Pick<Context, 'db'>,
): Promise<void> {
  if (emailVerifiedAt !== null || emailKey(await directory.addressOf(dn)) !== key) return;
  const data = { emailVerifiedAt: new Date() };
  await db.user.updateMany({ where: { id, emailKey: key, emailVerifiedAt: null }, data });
}

const unblockReturned = async (user: User, { db }: Pick<Context, 'db'>): Promise<User> => {
  if (user.state !== 'ldap_blocked') return user;
  await follow(user.id, true, db);
  return { ...user, ...back };
};

/** Blocks a user who is missing in the directory, or unblocks one who is there again. */
async function follow(id: number, isThere: boolean, db: Context['db']): Promise<void> {
  const [from, to] = isThere ? [blockedByDirectory, back] : [back, blockedByDirectory];
  const { count } = await db.user.updateMany({ where: { id, ...from }, data: to });
  if (count > 0) await record(isThere ? 'unblock_user' : 'block_user', id, {}, db);
}

/** An event that the directory server caused. */
const record = (
  name: string,
  userId: number,
  details: AuditedAction['details'],
  db: Context['db'],
) =>
  recordAudit(
    { name, userId, details },
    { db, viewer: { id: 0, username: 'directory' }, request: noRequest },
  );

async function lookupDirectoryUser(dn: string, { db }: Pick<Context, 'db'>): Promise<User | null> {
  const externUid = externUidOf(dn);
  // an administrator may have entered it in another case
  const [identity] = await db.$queryRaw<{ userId: number }[]>`
    SELECT user_id AS "userId" FROM identities
    WHERE provider = ${directoryProvider} AND lower(extern_uid) = ${externUid}
    ORDER BY extern_uid = ${externUid} DESC, id LIMIT 1`;
  return identity ? db.user.findUnique({ where: { id: identity.userId } }) : null;
}

/**
 * Creates a user for a new directory entry, who takes its address from a user that has it without a
 * verification. Null if another user has the address verified: otherwise a person who can edit their own
 * directory entry could take over an account. Administrators link such users by an identity instead.
 */
async function createDirectoryUser(
  { dn, name, email, username }: DirectoryPerson,
  parts: Parts,
): Promise<User | null> {
  const identity = { provider: directoryProvider, externUid: externUidOf(dn) };
  try {
    const details = {
      name: name.slice(0, 128),
      email,
      username: await freeUsername(username, parts),
    };
    const user = { ...details, identity, isEmailVerified: true, takesAddressOver: true };
    const holder = await unverifiedHolder(parts.db, emailKey(email));
    const id = await createUser(parts, user, privateTokenRow(parts.secrets));
    await record('create_user', id, { username: details.username }, parts.db);
    if (holder !== null) await record('lose_email', holder, { email: keptText(email) }, parts.db);
    return await parts.db.user.findUniqueOrThrow({ where: { id } });
  } catch (error) {
    // of two concurrent first sign-ins, the other one created the user
    if (error instanceof DomainError) return lookupDirectoryUser(dn, parts);
    throw error;
  }
}

const longestName = 255;
const refusedEnding = /(?:\.git|\.atom|[-.])$/i;

/** The directory's name as a username, with a number appended if it is taken. */
async function freeUsername(preferred: string, { db }: Pick<Context, 'db'>): Promise<string> {
  let plain = preferred
    .slice(0, longestName)
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[-.]+/, '');
  while (refusedEnding.test(plain)) plain = plain.replace(refusedEnding, '');
  const base = pathFaults(plain, 'user').length === 0 ? plain : `${plain || 'user'}-1`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}${number}`;
    if (await isUsernameFree(db, name)) return name;
  }
}

const blockedByDirectory = { state: 'ldap_blocked' } as const;
const back = { state: 'active' } as const;

/** The number of users checked together. */
const batch = 50;

/**
 * Checks all users against the directory that were not checked within the last hour; concurrent
 * processes check different users. Stops if the directory does not answer.
 */
export async function checkDirectoryUsers(
  directory: Directory,
  { db }: Pick<Context, 'db'>,
): Promise<void> {
  for (;;) {
    const people = await db.$queryRaw<{ userId: number; externUid: string }[]>`
      UPDATE identities SET checked_at = now()
      WHERE id IN (
        SELECT id FROM identities
        WHERE provider = ${directoryProvider} AND checked_at < now() - interval '1 hour'
        ORDER BY checked_at LIMIT ${batch}
        FOR UPDATE SKIP LOCKED)
      RETURNING user_id AS "userId", extern_uid AS "externUid"`;
    if (people.length === 0) return;
    for (const { userId, externUid } of people) {
      await follow(userId, await directory.knows(externUid), db);
    }
  }
}
