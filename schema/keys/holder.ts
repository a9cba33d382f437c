import type { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { writeInPassing } from '../kernel/outage.ts';
import { endOfTokenFamily } from '../oauth/delegated-keys.ts';

/** The owner of a key: a user, or the projects that have it as their deploy key. */
export interface KeyHolder {
  readonly keyId: number;
  /** Null: a deploy key. */
  readonly userId: number | null;
  /** When the key expires; null: never. */
  readonly expiresAt: Date | null;
}

/** The holder of the key with a SHA-256 fingerprint; null if it is unknown or has expired. */
export const findKeyHolder = (
  fingerprint: Uint8Array,
  parts: Pick<Context, 'db'>,
): Promise<KeyHolder | null> => holderWhere({ fingerprint: new Uint8Array(fingerprint) }, parts);

/** The holder of a key; null if it has been deleted or has expired. */
export const keyHolderById = (
  keyId: number,
  parts: Pick<Context, 'db'>,
): Promise<KeyHolder | null> => holderWhere({ id: keyId }, parts);

async function holderWhere(
  where: Prisma.KeyWhereUniqueInput,
  { db }: Pick<Context, 'db'>,
): Promise<KeyHolder | null> {
  const key = await db.key.findUnique({
    where,
    select: {
      id: true,
      userId: true,
      expiresAt: true,
      oauthApplicationId: true,
      oauthFamily: true,
    },
  });
  if (!key || (key.expiresAt && key.expiresAt <= new Date())) return null;
  const { id: keyId, userId, expiresAt, oauthFamily } = key;
  if (oauthFamily === null || key.oauthApplicationId !== null) return { keyId, userId, expiresAt };
  // no application, whose authorization its user could revoke
  const end = await endOfTokenFamily(oauthFamily, { db });
  return end && { keyId, userId, expiresAt: expiresAt && expiresAt < end ? expiresAt : end };
}

/** Records that a key was used now, at most once in five minutes; `updated_at` stays. */
export async function recordKeyUse(keyId: number, { db }: Pick<Context, 'db'>): Promise<void> {
  await writeInPassing(
    () => db.$executeRaw`
      UPDATE keys SET last_used_at = now()
      WHERE id = ${keyId} AND (last_used_at IS NULL OR last_used_at < now() - interval '5 minutes')`,
  );
}
