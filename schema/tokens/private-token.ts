import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { privateTokenRow } from '../kernel/private-token.ts';
import { transact } from '../kernel/storage-errors.ts';

const current = (userId: number) => ({ userId, kind: 'private', revokedAt: null }) as const;

/** The private token of a user, created if there is none. */
export async function privateTokenOf(
  userId: number,
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
): Promise<string> {
  const read = async (tx: Transaction) => {
    const token = await tx.accessToken.findFirst({
      where: current(userId),
      orderBy: { id: 'desc' },
    });
    return token?.sealed ? secrets.open(token.sealed) : null;
  };
  const existing = await read(db);
  if (existing !== null) return existing;
  return transact(db, async (tx) => {
    await lockUser(tx, userId);
    return (await read(tx)) ?? create(tx, userId, secrets);
  });
}

/** Revokes the private token of a user and returns a new one. */
export async function resetPrivateToken(
  userId: number,
  { db, secrets, viewers }: Pick<Context, 'db' | 'secrets' | 'viewers'>,
): Promise<string> {
  const token = await transact(db, async (tx) => {
    await lockUser(tx, userId);
    await tx.accessToken.updateMany({
      where: current(userId),
      data: { revokedAt: new Date() },
    });
    return create(tx, userId, secrets);
  });
  viewers.forget(userId);
  return token;
}

/** Serializes concurrent resets, so that no user gets two private tokens. */
const lockUser = (tx: Transaction, userId: number) =>
  tx.$queryRaw`SELECT id FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;

async function create(
  tx: Transaction,
  userId: number,
  secrets: Context['secrets'],
): Promise<string> {
  const row = privateTokenRow(secrets);
  await tx.accessToken.create({ data: { ...row, userId }, select: { id: true } });
  return secrets.open(row.sealed);
}
