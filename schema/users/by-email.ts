import type { User } from '../../prisma/client.ts';
import { batched } from '../kernel/batched.ts';
import type { Context } from '../kernel/context.ts';
import { emailKey } from './addresses.ts';

interface Owner {
  readonly key: string;
  readonly id: number;
}

const byKey = batched<string, User | null, Pick<Context, 'db'>>(async (keys, { db }) => {
  const owners = await db.$queryRaw<Owner[]>`
    SELECT email_key AS key, id FROM users
    WHERE email_key = ANY(${keys}) AND email_verified_at IS NOT NULL
    UNION ALL
    SELECT email_key, user_id FROM emails
    WHERE email_key = ANY(${keys}) AND verified_at IS NOT NULL`;
  if (owners.length === 0) return new Map();
  const users = await db.user.findMany({ where: { id: { in: owners.map(({ id }) => id) } } });
  const byId = new Map(users.map((user) => [user.id, user]));
  return new Map(owners.map(({ key, id }) => [key, byId.get(id) ?? null]));
}, null);

/**
 * The user who has an e-mail address verified, primary or further; all of an operation are read together. An
 * address that a user chose identifies no user: it may be that of another person.
 */
export const userByEmail = async (email: string, ctx: Pick<Context, 'db'>): Promise<User | null> =>
  email === '' ? null : byKey(emailKey(email), ctx);
