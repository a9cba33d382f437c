import type { Transaction } from '../../prisma/client.ts';
import type { Delegation } from '../kernel/context.ts';
import { fingerprintOf, type PublicKey } from './public-key.ts';

/** A new key: its title and owner; null for a deploy key. */
interface Named {
  readonly title: string;
  readonly userId: number | null;
  readonly expiresAt?: Date | null;
  /** The application that adds it. */
  readonly delegation?: Delegation | null | undefined;
}

/** Stores a key and returns its id; null if the fingerprint already exists. */
export async function storeKey(
  tx: Transaction,
  key: PublicKey,
  { title, userId, expiresAt = null, delegation }: Named,
): Promise<number | null> {
  const fingerprint = fingerprintOf(key);
  await removeAbandonedKey(tx, fingerprint);
  const [created] = await tx.$queryRaw<{ id: number }[]>`
    INSERT INTO keys (
      user_id, title, key, fingerprint, expires_at, oauth_application_id, oauth_family, updated_at)
    VALUES (${userId}, ${title}, ${key.text}, ${fingerprint}, ${expiresAt}::timestamptz,
      ${delegation?.applicationId ?? null}::int, ${delegation?.family ?? null}::uuid, now())
    ON CONFLICT (fingerprint) DO NOTHING RETURNING id`;
  return created?.id ?? null;
}

/** Deletes a deploy key whose projects were all removed, so that the fingerprint is free. */
async function removeAbandonedKey(tx: Transaction, fingerprint: Buffer): Promise<void> {
  const [key] = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM keys WHERE fingerprint = ${fingerprint} AND user_id IS NULL
      AND NOT EXISTS (
        SELECT FROM deploy_key_projects JOIN projects ON projects.id = project_id
        WHERE key_id = keys.id AND NOT is_removed)
    FOR UPDATE`;
  if (key) await removeUnusedKey(tx, key.id);
}

/** Deletes a deploy key without projects; the caller has locked its row. */
export async function removeUnusedKey(tx: Transaction, id: number): Promise<void> {
  // checked again, because a concurrent request may have enabled it before the lock was free
  await tx.key.deleteMany({
    where: { id, userId: null, projects: { none: { project: { isRemoved: false } } } },
  });
}
