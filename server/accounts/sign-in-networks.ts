import type { Database } from '../../prisma/client.ts';

/** Home, office, phone and two more. */
const maxPerUser = 5;

/** Whether this is one of the networks from which the user last signed in. */
export async function isFamiliar(db: Database, userId: number, network: string): Promise<boolean> {
  return (await db.signInNetwork.count({ where: { userId, network } })) > 0;
}

/** Records the network of a sign-in, and deletes all but the latest few. */
export async function noteNetwork(db: Database, userId: number, network: string): Promise<void> {
  // lock the user's row against its removal; write an already recorded network once a minute
  const count = await db.$executeRaw`
    INSERT INTO sign_in_networks (user_id, network, used_at)
    SELECT id, ${network}, now() FROM users WHERE id = ${userId} FOR KEY SHARE
    ON CONFLICT (user_id, network) DO UPDATE SET used_at = excluded.used_at
    WHERE sign_in_networks.used_at < excluded.used_at - interval '1 minute'`;
  if (count === 0) return;
  await db.$executeRaw`
    DELETE FROM sign_in_networks WHERE user_id = ${userId} AND network NOT IN (
      SELECT network FROM sign_in_networks WHERE user_id = ${userId}
      ORDER BY used_at DESC, network LIMIT ${maxPerUser}
    )`;
}
