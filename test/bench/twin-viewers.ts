import { LRUCache } from 'lru-cache';
import pg from 'pg';
import type { SealingKey } from '../../server/accounts/secrets.ts';

export interface TwinViewer {
  readonly id: number;
  readonly isAdmin: boolean;
  readonly isExternal: boolean;
  readonly groupLevels: ReadonlyMap<number, number>;
  readonly groupIds: readonly number[];
}

/** Who holds a token: found by its keyed digest, remembered for a minute unless the database calls. */
export async function twinViewers(pool: pg.Pool, secrets: SealingKey, databaseUrl: string) {
  const memory = new LRUCache<string, TwinViewer>({ max: 10_000, ttl: 60_000 });
  const ear = new pg.Client({ connectionString: databaseUrl });
  await ear.connect();
  await ear.query('LISTEN millrace_viewers');
  ear.on('notification', () => memory.clear());

  const find = async (digest: Uint8Array): Promise<TwinViewer | null> => {
    const { rows } = await pool.query(
      `SELECT users.id, users.is_admin, users.is_external, members.namespace_id, members.access_level
       FROM access_tokens
       JOIN users ON users.id = access_tokens.user_id AND users.state = 'active'
       LEFT JOIN members ON members.user_id = users.id AND members.namespace_id IS NOT NULL
         AND (members.expires_at IS NULL OR members.expires_at > now())
       WHERE digest = $1 AND revoked_at IS NULL AND 'api' = ANY(scopes)
         AND (access_tokens.expires_at IS NULL OR access_tokens.expires_at > now())`,
      [Buffer.from(digest)],
    );
    const [first] = rows;
    if (!first) return null;
    const levels = rows.filter((row) => row.namespace_id !== null);
    const groupLevels = new Map(levels.map((row) => [row.namespace_id, row.access_level]));
    return {
      id: first.id,
      isAdmin: first.is_admin,
      isExternal: first.is_external,
      groupLevels,
      groupIds: [...groupLevels.keys()],
    };
  };

  return {
    ofToken: async (token: string): Promise<TwinViewer | null> => {
      const digest = secrets.digest(token);
      const key = Buffer.from(digest).toString('latin1');
      const known = memory.get(key);
      if (known) return known;
      const viewer = await find(digest);
      if (viewer) memory.set(key, viewer);
      return viewer;
    },
  };
}
