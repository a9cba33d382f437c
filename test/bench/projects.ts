import { createHash } from 'node:crypto';
import type { Session } from '../../prisma/client.ts';
import type { SealingKey } from '../../server/accounts/secrets.ts';
import { groupCount } from './groups.ts';
import { type BenchUsers, userCount } from './users.ts';

const projectCount = 20_000;

/** How many of the personal projects, every twentieth of all, belong to the member. */
const ownProjects = 60;

/** Inserts projects of every visibility, mostly in groups; their repositories are not on disk. */
export async function createProjects(
  session: Session,
  secrets: SealingKey,
  { member, worker }: BenchUsers,
): Promise<void> {
  const numbers = Array.from({ length: projectCount }, (_, index) => index + 1);
  const tokens = numbers.map((number) => `runners-token-${number}`);
  const keys = numbers.map((number) => createHash('md5').update(`project ${number}`).digest('hex'));
  await session.query(insertAll, [
    numbers,
    keys,
    tokens.map((token) => Buffer.from(secrets.digest(token))),
    tokens.map((token) => secrets.seal(token)),
    groupCount,
    userCount,
    ownProjects,
  ]);
  await session.query(insertOwners);
  await session.query(insertMembers);
  await session.query(insertManyMembers);
  for (const { id } of [member, worker]) await session.query(join, [id]);
  await session.query(insertShares, [groupCount]);
  await session.query(insertStars);
  for (const { id } of [member, worker]) await session.query(star, [id]);
  // as autovacuum would within a minute
  await session.query('VACUUM ANALYZE');
}

/** A twentieth is in the first group, which is public. */
const insertAll = `
  WITH home AS (
    SELECT id, owner_id, name, full_name, full_path, kind, visibility,
      row_number() OVER (PARTITION BY kind ORDER BY id) - 1 AS number
    FROM namespaces WHERE full_path <> 'root'
  ), created AS (
    INSERT INTO projects (namespace_id, namespace_name, creator_id, name, path, full_name, full_path,
      description, visibility, default_branch, storage, disk_path, tag_list, star_count,
      open_issues_count, issues_enabled, merge_requests_enabled, snippets_enabled,
      is_archived, is_removed, runners_token_digest, runners_token_sealed, created_at, updated_at,
      last_activity_at)
    SELECT home.id, home.name, home.owner_id, called || ' ' || n, lower(called) || '-' || n,
      home.full_name || ' / ' || called || ' ' || n, home.full_path || '/' || lower(called) || '-' || n,
      'The ' || n || '. of many things that are built here', LEAST(wanted, home.visibility),
      CASE WHEN n % 10 <> 0 THEN 'master' END, 'default',
      substr(key, 1, 2) || '/' || substr(key, 3, 2) || '/' || key,
      CASE WHEN n % 4 = 0 THEN '{typescript,service}'::text[] ELSE '{}' END,
      n % 17, n % 23, n % 6 <> 0, n % 8 <> 0, n % 6 = 0, n % 17 = 16, n % 97 = 96, digest, sealed,
      made_at, made_at + n * 3571 % 20011 * interval '1 hour',
      made_at + n * 7927 % 20011 * interval '2 hours'
    FROM (
      SELECT *, timestamptz '2017-03-01' + n * interval '20 minutes 3 ms' AS made_at,
        (ARRAY['Anchor', 'Beacon', 'Copper', 'Delta', 'Ember', 'Forge', 'Granite', 'Harbor', 'Inlet',
          'Juniper', 'Kernel', 'Lantern', 'Meadow', 'Nimbus', 'Orchard', 'Pepper'])[1 + (n + n / 20) % 16]
          AS called,
        (ARRAY['private', 'private', 'private', 'internal', 'internal', 'public', 'public', 'public',
          'public', 'public'])[1 + (n + n / 20) % 10]::visibility AS wanted,
        CASE WHEN n % 20 = 0 THEN 'user' ELSE 'group' END::namespace_kind AS place_kind,
        CASE
          WHEN n % 20 = 0 THEN CASE WHEN n <= $7::int * 20 THEN 0 ELSE n / 20 % $6::int END
          WHEN n % 20 = 1 THEN 0
          ELSE n * 7919 % $5::int
        END AS place
      FROM unnest($1::int[], $2::text[], $3::bytea[], $4::text[]) given (n, key, digest, sealed)
    ) given
    JOIN home ON home.kind = place_kind AND home.number = place
    RETURNING id, full_path, is_removed
  ), routed AS (
    INSERT INTO routes (key, project_id) SELECT full_path, id FROM created WHERE NOT is_removed
  )
  INSERT INTO project_statistics (project_id, commit_count, repository_size, lfs_objects_size)
  SELECT id, id % 999, id * 4567::bigint, id % 7 * 1234567 FROM created`;

const insertOwners = `
  INSERT INTO members (user_id, project_id, access_level)
  SELECT owner_id, projects.id, 40
  FROM projects JOIN namespaces ON namespaces.id = namespace_id WHERE owner_id IS NOT NULL`;

const account = `(SELECT id, row_number() OVER (ORDER BY id) AS n FROM users WHERE username LIKE 'user%') account`;

/** Two more members in each project; some memberships have expired. */
const insertMembers = `
  INSERT INTO members (user_id, project_id, access_level, expires_at)
  SELECT account.id, project.id, (ARRAY[10, 20, 30, 40])[1 + project.id % 4],
    CASE WHEN project.id % 9 = 0 THEN date '2018-01-01' END
  FROM projects project CROSS JOIN generate_series(0, 1) seat
  JOIN ${account} ON account.n = 10 + (project.id * 11 + seat * 977) % 1900
  ON CONFLICT DO NOTHING`;

/** 500 members in a public project of the first group. */
const insertManyMembers = `
  INSERT INTO members (user_id, project_id, access_level)
  SELECT account.id, (
      SELECT min(id) FROM projects WHERE visibility = 'public' AND full_path LIKE 'team-1/%'
    ), 30
  FROM ${account} WHERE n BETWEEN 301 AND 800
  ON CONFLICT DO NOTHING`;

const join = `
  INSERT INTO members (user_id, project_id, access_level, expires_at)
  SELECT $1::int, id, (ARRAY[10, 20, 30, 40])[1 + id % 4],
    CASE WHEN id % 11 = 0 THEN date '2018-01-01' END
  FROM projects WHERE id % 101 = $1::int % 101
  ON CONFLICT DO NOTHING`;

/** Every fiftieth project is shared; some shares have expired and some will. */
const insertShares = `
  INSERT INTO project_group_links (project_id, namespace_id, access_level, expires_at)
  SELECT project.id, team.id, (ARRAY[10, 20, 30, 40])[1 + project.id / 50 % 4],
    CASE project.id / 50 % 9 WHEN 4 THEN date '2018-01-01' WHEN 7 THEN date '2199-01-01' END
  FROM projects project
  JOIN namespaces home ON home.id = project.namespace_id
  JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM namespaces WHERE kind = 'group') team
    ON team.n = project.id * 31 % $1::int
  WHERE project.id % 50 = 7 AND NOT team.id = ANY(home.ancestor_ids)`;

const insertStars = `
  INSERT INTO project_stars (user_id, project_id)
  SELECT account.id, project.id
  FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM projects) project
  JOIN ${account} ON account.n = 10 + project.n * 17 % 1900
  WHERE project.n % 2 = 0`;

const star = `
  INSERT INTO project_stars (user_id, project_id)
  SELECT $1::int, id FROM projects WHERE id % 149 = $1::int % 149 ON CONFLICT DO NOTHING`;
