import type { Identity, User } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { DomainError } from '../kernel/errors.ts';
import { pathFaults } from '../kernel/names.ts';
import { privateTokenRow } from '../kernel/private-token.ts';
import type { Directory, DirectoryPerson } from '../ports/directory.ts';
import { createUser, isUsernameFree } from '../users/create.ts';

/** How identities of the directory are marked, as v4 clients know it. */
export const directoryProvider = 'ldapmain';

type Parts = Pick<Context, 'db' | 'passwords' | 'secrets' | 'settings'>;

/** Directories do not tell letters apart by case. */
const externUidOf = (dn: string) => dn.toLowerCase();

/**
 * The user whom the directory knows by this name and password, or null; made with their identity at
 * the first sign-in. Who was gone from there and is back is let in again (specification, Session).
 */
export async function findInDirectory(
  { login, password }: { readonly login: string; readonly password: string },
  directory: Directory,
  parts: Parts,
): Promise<User | null> {
  const person = await directory.authenticate(login, password);
  if (!person) return null;
  const user = (await lookupPerson(person.dn, parts)) ?? (await admitPerson(person, parts));
  return user && letBackIn(user, parts);
}

/**
 * A user of the directory, if this is their password there, whatever they are called here; or null.
 * Gone from the directory they are blocked, and who is back is let in again.
 */
export async function checkInDirectory(
  user: User & { readonly identities: readonly Pick<Identity, 'externUid'>[] },
  password: string,
  directory: Directory,
  { db }: Pick<Context, 'db'>,
): Promise<User | null> {
  const dn = user.identities[0]?.externUid ?? '';
  if (await directory.isPasswordOf(dn, password)) return letBackIn(user, { db });
  // what cannot be asked blocks nobody
  const isThere = await directory.knows(dn).catch(() => true);
  if (!isThere) await db.user.updateMany({ where: { id: user.id, ...back }, data: gone });
  return null;
}

const letBackIn = async (user: User, { db }: Pick<Context, 'db'>): Promise<User> =>
  user.state === 'ldap_blocked' ? db.user.update({ where: { id: user.id }, data: back }) : user;

async function lookupPerson(dn: string, { db }: Pick<Context, 'db'>): Promise<User | null> {
  const externUid = externUidOf(dn);
  // an administrator may have written it in other letters
  const [identity] = await db.$queryRaw<{ userId: number }[]>`
    SELECT user_id AS "userId" FROM identities
    WHERE provider = ${directoryProvider} AND lower(extern_uid) = ${externUid}
    ORDER BY extern_uid = ${externUid} DESC, id LIMIT 1`;
  return identity ? db.user.findUnique({ where: { id: identity.userId } }) : null;
}

/**
 * A user for somebody new. An address that somebody has here already is refused: who may write their
 * own address into the directory must not become somebody else by it. An administrator gives such
 * people their identity instead.
 */
async function admitPerson(
  { dn, name, email, username }: DirectoryPerson,
  parts: Parts,
): Promise<User | null> {
  const identity = { provider: directoryProvider, externUid: externUidOf(dn) };
  try {
    const id = await createUser(
      parts,
      { name: name.slice(0, 128), email, username: await freeName(username, parts), identity },
      privateTokenRow(parts.secrets),
    );
    return await parts.db.user.findUniqueOrThrow({ where: { id } });
  } catch (error) {
    // two first sign-ins at once: the other one made them
    if (error instanceof DomainError) return lookupPerson(dn, parts);
    throw error;
  }
}

const longestName = 255;
const refusedEnding = /(?:\.git|\.atom|[-.])$/i;

/** The directory's name for somebody as a name here, with a number where it is taken. */
async function freeName(wished: string, { db }: Pick<Context, 'db'>): Promise<string> {
  let plain = wished
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

const gone = { state: 'ldap_blocked' } as const;
const back = { state: 'active' } as const;

/** People asked for in one go. */
const batch = 50;

/**
 * Asks the directory for everybody who was not asked for within the last hour; of several processes
 * each takes others. Ends at the first question that gets no answer.
 */
export async function checkDirectoryPeople(
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
      const isThere = await directory.knows(externUid);
      const [from, to] = isThere ? ([gone, back] as const) : ([back, gone] as const);
      await db.user.updateMany({ where: { id: userId, ...from }, data: to });
    }
  }
}
