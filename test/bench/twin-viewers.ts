import { LRUCache } from 'lru-cache';
import pg from 'pg';
import type { SealingKey } from '../../server/accounts/secrets.ts';

/** The current user, with all that a listing's filter needs, so that no statement has to look it up. */
export interface TwinViewer {
  readonly id: number;
  readonly isAdmin: boolean;
  /** The visibilities that need no membership. */
  readonly open: readonly string[];
  readonly groupLevels: ReadonlyMap<number, number>;
  /** Their groups and the ancestors of these. */
  readonly pathIds: ReadonlySet<number>;
  /** Groups visible through membership: accessible groups, ancestors, and groups of accessible projects. */
  readonly knownGroups: ReadonlySet<number>;
  /** Lists of ids as PostgreSQL array literals, built once for all statements. */
  readonly lists: {
    /** Groups with a direct membership, and those of them with owner access. */
    readonly groups: string;
    readonly ownedGroups: string;
    /** Their own namespace, their groups and all subgroups of these. */
    readonly namespaces: string;
    /** Their own namespace, the groups they own and all subgroups of these. */
    readonly ownedNamespaces: string;
    /** Projects with a direct membership or a share with an accessible group. */
    readonly projects: string;
    readonly knownGroups: string;
  };
}

const listOf = (ids: Iterable<number>) => `{${[...ids].join(',')}}`;

/** The condition that a row of `table` has not expired. */
export const unexpired = (table: string) =>
  `(${table}.expires_at IS NULL OR ${table}.expires_at > (now() AT TIME ZONE 'UTC')::date)`;

const owner = 50;

const findToken = `
  SELECT users.id, users.is_admin, users.is_external, own.id AS namespace_id
  FROM access_tokens
  JOIN users ON users.id = access_tokens.user_id AND users.state = 'active'
  LEFT JOIN namespaces own ON own.owner_id = users.id
  WHERE digest = $1 AND revoked_at IS NULL AND 'api' = ANY(scopes)
    AND (access_tokens.expires_at IS NULL OR access_tokens.expires_at > now())`;

const findGroups = `
  SELECT namespaces.id, ancestor_ids, access_level
  FROM members JOIN namespaces ON namespaces.id = members.namespace_id
  WHERE user_id = $1 AND NOT is_removed AND ${unexpired('members')}`;

const findBelow = `SELECT id FROM namespaces WHERE ancestor_ids && $1::int[] AND NOT is_removed`;

const findProjects = `
  SELECT projects.id, projects.namespace_id FROM (
    SELECT project_id FROM members
    WHERE user_id = $1 AND project_id IS NOT NULL AND ${unexpired('members')}
    UNION
    SELECT project_id FROM project_group_links links
    WHERE namespace_id = ANY($2::int[]) AND ${unexpired('links')}
  ) reached JOIN projects ON projects.id = reached.project_id
  WHERE NOT projects.is_removed`;

/** Finds a token's user by keyed digest; cached for a minute or until a notification. */
export async function twinViewers(pool: pg.Pool, secrets: SealingKey, databaseUrl: string) {
  const memory = new LRUCache<string, TwinViewer>({ max: 10_000, ttl: 60_000 });
  const listener = new pg.Client({ connectionString: databaseUrl });
  await listener.connect();
  await listener.query('LISTEN millrace_viewers');
  listener.on('notification', () => memory.clear());

  const below = async (ids: readonly number[]): Promise<number[]> =>
    (await pool.query(findBelow, [ids])).rows.map(({ id }) => id);

  const find = async (digest: Uint8Array): Promise<TwinViewer | null> => {
    const { rows } = await pool.query(findToken, [Buffer.from(digest)]);
    const [user] = rows;
    if (!user) return null;
    const { rows: groups } = await pool.query(findGroups, [user.id]);
    const groupLevels = new Map(groups.map((row) => [row.id, row.access_level]));
    const groupIds = [...groupLevels.keys()];
    const ownedIds = groupIds.filter((id) => groupLevels.get(id) === owner);
    const own = user.namespace_id === null ? [] : [user.namespace_id];
    const [reached, owned] = await Promise.all([below(groupIds), below(ownedIds)]);
    const { rows: projects } = await pool.query(findProjects, [user.id, reached]);
    const pathIds = new Set<number>(groups.flatMap((row) => row.ancestor_ids));
    const knownGroups = new Set([
      ...pathIds,
      ...reached,
      ...projects.map((row) => row.namespace_id),
    ]);
    return {
      id: user.id,
      isAdmin: user.is_admin,
      open: user.is_external ? ['public'] : ['internal', 'public'],
      groupLevels,
      pathIds,
      knownGroups,
      lists: {
        groups: listOf(groupIds),
        ownedGroups: listOf(ownedIds),
        namespaces: listOf([...own, ...reached]),
        ownedNamespaces: listOf([...own, ...owned]),
        projects: listOf(projects.map(({ id }) => id)),
        knownGroups: listOf(knownGroups),
      },
    };
  };

  return {
    ofToken: async (token: string): Promise<TwinViewer | null> => {
      const digest = secrets.digest(token);
      const key = Buffer.from(digest).toString('latin1');
      const cached = memory.get(key);
      if (cached) return cached;
      const viewer = await find(digest);
      if (viewer) memory.set(key, viewer);
      return viewer;
    },
  };
}

/** The highest access level in any of these groups; pass a namespace's `ancestor_ids`. */
export function levelIn(ids: readonly number[], viewer: TwinViewer | null): number {
  let level = 0;
  for (const id of ids) level = Math.max(level, viewer?.groupLevels.get(id) ?? 0);
  return level;
}
