import { createHash } from 'node:crypto';
import type { Session } from '../../prisma/client.ts';
import type { SealingKey } from '../../server/accounts/secrets.ts';

export const groupCount = 200;
export const projectCount = 2000;

/** Groups, a third of them below others; each has an owner and some members of every level. */
export async function makeGroups(session: Session): Promise<void> {
  await session.query(
    `WITH own AS (
       SELECT n, nextval(pg_get_serial_sequence('namespaces', 'id'))::int AS id
       FROM generate_series(1, $1::int) n
     ), placed AS (
       SELECT own.id, own.n, above.id AS parent_id, 'team-' || own.n AS path, 'Team ' || own.n AS name,
         CASE WHEN above.n IS NULL THEN '' ELSE 'Team ' || above.n || ' / ' END AS above_name,
         CASE WHEN above.n IS NULL THEN '' ELSE 'team-' || above.n || '/' END AS above_path
       FROM own LEFT JOIN own above ON own.n % 3 = 0 AND above.n = own.n - 1
     ), made AS (
       INSERT INTO namespaces (id, kind, parent_id, name, path, full_name, full_path, ancestor_ids,
         description, visibility, created_at, updated_at)
       SELECT id, 'group', parent_id, name, path, above_name || name, above_path || path,
         array_remove(ARRAY[parent_id, id], NULL), 'What team ' || n || ' works on', 'public',
         timestamptz '2017-02-01' + n * interval '3 hours 17 ms', now()
       FROM placed RETURNING id, full_path
     ) INSERT INTO routes (key, namespace_id) SELECT full_path, id FROM made`,
    [groupCount],
  );
  await session.query(
    `INSERT INTO members (user_id, namespace_id, access_level)
     SELECT person.id, team.id, (ARRAY[50, 40, 30, 30, 20, 10])[1 + seat]
     FROM (SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM namespaces WHERE kind = 'group') team
     CROSS JOIN generate_series(0, 5) seat
     JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM users WHERE username LIKE 'user%') person
       ON person.n = (team.n * 7 + seat * 41) % 125`,
  );
}

/** Most in groups, some personal, of every visibility; their repositories are not on disk. */
export async function makeProjects(session: Session, secrets: SealingKey): Promise<void> {
  const numbers = Array.from({ length: projectCount }, (_, index) => index + 1);
  const tokens = numbers.map((number) => `runners-token-${number}`);
  const keys = numbers.map((number) => createHash('md5').update(`project ${number}`).digest('hex'));
  await session.query(
    `WITH home AS (
       SELECT id, owner_id, full_name, full_path, kind, row_number() OVER (PARTITION BY kind ORDER BY id) - 1 AS n
       FROM namespaces WHERE full_path <> 'root'
     ), made AS (
       INSERT INTO projects (namespace_id, creator_id, name, path, full_name, full_path, description,
         visibility, default_branch, storage, disk_path, tag_list, star_count, open_issues_count,
         are_snippets_enabled, is_archived, runners_token_digest, runners_token_sealed, created_at,
         updated_at, last_activity_at)
       SELECT home.id, home.owner_id, 'Project ' || given.n, 'project-' || given.n,
         home.full_name || ' / Project ' || given.n, home.full_path || '/project-' || given.n,
         'The ' || given.n || '. of many things that are built here',
         (ARRAY['private', 'private', 'private', 'internal', 'public'])[1 + given.n % 5]::visibility,
         CASE WHEN given.n % 10 <> 0 THEN 'master' END, 'default',
         substr(key, 1, 2) || '/' || substr(key, 3, 2) || '/' || key,
         CASE WHEN given.n % 4 = 0 THEN '{typescript,service}'::text[] ELSE '{}' END,
         given.n % 17, given.n % 23, given.n % 6 = 0, given.n % 50 = 49, digest, sealed,
         made_at, made_at, made_at + interval '90 days'
       FROM unnest($1::int[], $2::text[], $3::bytea[], $4::text[]) given (n, key, digest, sealed)
       CROSS JOIN LATERAL (SELECT timestamptz '2017-03-01' + given.n * interval '2 hours 3 ms' AS made_at)
       JOIN home ON home.kind = CASE WHEN given.n % 7 = 0 THEN 'user' ELSE 'group' END::namespace_kind
         AND home.n = given.n % (CASE WHEN given.n % 7 = 0 THEN 500 ELSE $5 END)
       RETURNING id, full_path
     ), routed AS (INSERT INTO routes (key, project_id) SELECT full_path, id FROM made)
     INSERT INTO project_statistics (project_id) SELECT id FROM made`,
    [
      numbers,
      keys,
      tokens.map((token) => Buffer.from(secrets.digest(token))),
      tokens.map((token) => secrets.seal(token)),
      groupCount,
    ],
  );
  await session.query(
    `INSERT INTO members (user_id, project_id, access_level, expires_at)
     SELECT person.id, project.id, (ARRAY[10, 20, 30, 40])[1 + project.id % 4],
       CASE WHEN project.id % 9 = 0 THEN date '2018-01-01' END
     FROM projects project CROSS JOIN generate_series(0, 2) seat
     JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM users WHERE username LIKE 'user%') person
       ON person.n = (project.id + seat * 37) % 100
     UNION
     SELECT owner_id, projects.id, 40, NULL::date
     FROM projects JOIN namespaces ON namespaces.id = namespace_id WHERE owner_id IS NOT NULL
     ON CONFLICT DO NOTHING`,
  );
  // what autovacuum would find out within the minute
  await session.query('ANALYZE');
}
