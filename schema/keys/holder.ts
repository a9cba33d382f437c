import type { Context } from '../kernel/context.ts';

/** The owner of a key: a user, or the projects that have it as their deploy key. */
export interface KeyHolder {
  readonly keyId: number;
  /** Null: a deploy key. */
  readonly userId: number | null;
}

/** The holder of the key with a SHA-256 fingerprint; null if it is unknown or has expired. */
export async function findKeyHolder(
  fingerprint: Uint8Array,
  { db }: Pick<Context, 'db'>,
): Promise<KeyHolder | null> {
  const key = await db.key.findUnique({
    where: { fingerprint: new Uint8Array(fingerprint) },
    select: { id: true, userId: true, expiresAt: true },
  });
  if (!key || (key.expiresAt && key.expiresAt <= new Date())) return null;
  return { keyId: key.id, userId: key.userId };
}

/** Records that a key was used now, at most once in five minutes; `updated_at` stays. */
export async function recordKeyUse(keyId: number, { db }: Pick<Context, 'db'>): Promise<void> {
  await db.$executeRaw`
    UPDATE keys SET last_used_at = now()
    WHERE id = ${keyId} AND (last_used_at IS NULL OR last_used_at < now() - interval '5 minutes')`;
}
