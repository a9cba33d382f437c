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
    SELECT email_key AS key, id FROM users WHERE email_key = ANY(${keys})
    UNION ALL
    SELECT email_key, user_id FROM emails WHERE email_key = ANY(${keys})`;
  if (owners.length === 0) return new Map();
  const users = await db.user.findMany({ where: { id: { in: owners.map(({ id }) => id) } } });
  const byId = new Map(users.map((user) => [user.id, user]));
  return new Map(owners.map(({ key, id }) => [key, byId.get(id) ?? null]));
}, null);

/** The user with an e-mail address, primary or further; all of an operation are read together. */
export const userByEmail = async (email: string, ctx: Pick<Context, 'db'>): Promise<User | null> =>
  email === '' ? null : byKey(emailKey(email), ctx);
