import type { Transaction } from '../../prisma/client.ts';
import { fingerprintOf, type PublicKey } from './public-key.ts';

/** A key that is to be: its title, and whose it is; null for a deploy key. */
interface Named {
  readonly title: string;
  readonly userId: number | null;
}

/** Stores a key and gives its id; null when there is one of this fingerprint already. */
export async function storeKey(
  tx: Transaction,
  key: PublicKey,
  { title, userId }: Named,
): Promise<number | null> {
  const fingerprint = fingerprintOf(key);
  await removeAbandoned(tx, fingerprint);
  const [made] = await tx.$queryRaw<{ id: number }[]>`
    INSERT INTO keys (user_id, title, key, fingerprint, updated_at)
    VALUES (${userId}, ${title}, ${key.text}, ${fingerprint}, now())
    ON CONFLICT (fingerprint) DO NOTHING RETURNING id`;
  return made?.id ?? null;
}

/** A deploy key whose projects are all gone keeps nobody from using it. */
async function removeAbandoned(tx: Transaction, fingerprint: Buffer): Promise<void> {
  const [held] = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM keys WHERE fingerprint = ${fingerprint} AND user_id IS NULL
      AND NOT EXISTS (
        SELECT FROM deploy_key_projects JOIN projects ON projects.id = project_id
        WHERE key_id = keys.id AND NOT is_removed)
    FOR UPDATE`;
  if (held) await removeUnused(tx, held.id);
}

/** Removes a deploy key that no project has; to be called with its row taken. */
export async function removeUnused(tx: Transaction, id: number): Promise<void> {
  // looked at anew: whoever enabled it in the meantime was waited for
  await tx.key.deleteMany({
    where: { id, userId: null, projects: { none: { project: { isRemoved: false } } } },
  });
}
