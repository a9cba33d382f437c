import type { Session } from '../../prisma/client.ts';

/**
 * Fills a database with `size` users, groups, projects, memberships, stars and more, in bulk. Groups
 * are nested four levels deep; a fifth of all records is public, the others private, as in a company.
 */
export async function fillDatabase(session: Session, size: number): Promise<void> {
  const statements = [users, personal, groups, projects, members, starsSharesAndMore];
  await withoutForeignKeyChecks(
    session,
    statements.map((statement) => statement.replaceAll('$size', String(size))),
  );
  // as autovacuum would within a minute
  await session.query('VACUUM ANALYZE');
}

/**
 * Drops every index that no constraint needs; the result creates them again. Building an index on a full
 * table takes a third of the time of updating it row by row.
 */
export async function dropIndexes(session: Session): Promise<() => Promise<void>> {
  const { rows } = await session.query(`
    SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE relnamespace = 'public'::regnamespace AND NOT indisunique`);
  for (const { name } of rows) await session.query(`DROP INDEX ${name}`);
  return async () => {
    await session.query(`SET maintenance_work_mem = '512MB'`);
    for (const { definition } of rows) await session.query(definition);
    await session.query('ANALYZE');
  };
}

/** Runs statements without foreign key checks, which would take half of the time. The keys must be valid. */
export async function withoutForeignKeyChecks(
  session: Session,
  statements: readonly string[],
): Promise<void> {
  await session.query('SET session_replication_role = replica');
  for (const statement of statements) await session.query(statement);
  await session.query('RESET session_replication_role');
}

const visibility = (n: string) =>
  `(ARRAY['private', 'private', 'private', 'private', 'private', 'private', 'private', 'private', 'internal', 'public'])[1 + ${n} % 10]::visibility`;

const users = `
  INSERT INTO users (username, username_key, email, email_key, name, projects_limit, state, is_external,
    created_at, updated_at, last_activity_on)
  SELECT 'user' || n, 'user' || n, 'user' || n || '@example.com', 'user' || n || '@example.com',
    'Person ' || md5(n::text), 100, CASE WHEN n % 50 = 0 THEN 'blocked' ELSE 'active' END::user_state,
    n % 40 = 0, timestamptz '2016-01-01' + n * interval '5 minutes', now(),
    CASE WHEN n % 3 = 0 THEN date '2017-01-01' + n % 300 END
  FROM generate_series(1, $size) n`;
const personal = `
  WITH own AS (
    SELECT id AS owner_id, username, nextval(pg_get_serial_sequence('namespaces', 'id'))::int AS id FROM users
  ), created AS (
    INSERT INTO namespaces (id, kind, owner_id, name, path, full_name, full_path, ancestor_ids, visibility, updated_at)
    SELECT id, 'user', owner_id, username, username, username, username, ARRAY[id], 'public', now() FROM own
    RETURNING id, full_path
  ) INSERT INTO routes (key, namespace_id) SELECT full_path, id FROM created`;

/** The first thousandth is at the top level; each other group is below the one with a tenth of its number. */
const groups = `
  WITH RECURSIVE own AS (
    SELECT n, nextval(pg_get_serial_sequence('namespaces', 'id'))::int AS id FROM generate_series(1, $size) n
  ), placed AS (
    SELECT n, id, NULL::int AS parent_id, 'group ' || n AS full_name, 'group-' || n AS full_path, ARRAY[id] AS ids
    FROM own WHERE n <= $size / 1000
    UNION ALL
    SELECT own.n, own.id, above.id, above.full_name || ' / group ' || own.n,
      above.full_path || '/group-' || own.n, above.ids || own.id
    FROM placed above JOIN own ON own.n > $size / 1000 AND own.n / 10 = above.n
  ), created AS (
    INSERT INTO namespaces (id, kind, parent_id, name, path, full_name, full_path, ancestor_ids, visibility,
      updated_at)
    SELECT id, 'group', parent_id, 'group ' || n, 'group-' || n, full_name, full_path, ids,
      ${visibility('n')}, now()
    FROM placed RETURNING id, full_path
  ) INSERT INTO routes (key, namespace_id) SELECT full_path, id FROM created`;

const projects = `
  WITH home AS (
    SELECT id, name, full_name, full_path, row_number() OVER (ORDER BY id) AS n
    FROM namespaces WHERE kind = 'group'
  ), created AS (
    INSERT INTO projects (namespace_id, namespace_name, name, path, full_name, full_path, description,
      visibility, storage, disk_path, is_archived, issues_enabled, merge_requests_enabled,
      runners_token_digest, runners_token_sealed, created_at, updated_at, last_activity_at)
    SELECT home.id, home.name, 'project ' || n, 'project-' || n, full_name || ' / project ' || n,
      full_path || '/project-' || n, 'About ' || md5(n::text), ${visibility('n / 7')}, 'default',
      'none/' || n, n % 20 = 0, n % 6 > 0, n % 8 > 0, convert_to('digest' || n, 'UTF8'), '',
      timestamptz '2017-01-01' + (n * 7919 % $size) * interval '1 minute',
      timestamptz '2018-01-01' + (n * 104729 % $size) * interval '1 minute',
      timestamptz '2019-01-01' + (n * 1299709 % $size) * interval '1 minute'
    FROM home RETURNING id, full_path
  ), routed AS (INSERT INTO routes (key, project_id) SELECT full_path, id FROM created)
  INSERT INTO project_statistics (project_id) SELECT id FROM created`;

const members = `
  INSERT INTO members (user_id, namespace_id, project_id, access_level)
  SELECT account.id, CASE WHEN seat = 0 THEN target.group_id END, CASE WHEN seat = 1 THEN target.project_id END,
    (ARRAY[10, 20, 30, 40])[1 + target.n % 4]
  FROM (SELECT projects.id AS project_id, namespace_id AS group_id, row_number() OVER (ORDER BY projects.id) AS n
    FROM projects) target
  JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM users) account ON account.n = 1 + target.n * 31 % ($size - 1)
  CROSS JOIN generate_series(0, 1) seat
  ON CONFLICT DO NOTHING`;

const starsSharesAndMore = `
  INSERT INTO project_stars (user_id, project_id)
  SELECT account.id, project.id FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM users) account
  JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM projects) project ON project.n = 1 + account.n * 17 % ($size - 1);
  INSERT INTO project_group_links (project_id, namespace_id, access_level)
  SELECT project.id, other.id, 30 FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM projects) project
  JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM namespaces WHERE kind = 'group') other ON other.n = 1 + project.n * 13 % ($size - 1)
  WHERE project.n % 4 = 0;
  INSERT INTO emails (user_id, email, email_key)
  SELECT id, 'other' || id || '@example.com', 'other' || id || '@example.com' FROM users;
  INSERT INTO access_tokens (user_id, kind, name, digest, scopes)
  SELECT id, (ARRAY['personal', 'impersonation'])[1 + id % 2]::token_kind, 'token', convert_to('token' || id, 'UTF8'), '{api}'
  FROM users;
  INSERT INTO user_custom_attributes (user_id, key, value)
  SELECT id, 'team', 'team ' || id % 1000 FROM users;
  INSERT INTO namespace_custom_attributes (namespace_id, key, value)
  SELECT id, 'team', 'team ' || id % 1000 FROM namespaces WHERE kind = 'group';
  INSERT INTO project_custom_attributes (project_id, key, value)
  SELECT id, 'team', 'team ' || id % 1000 FROM projects;
  UPDATE projects SET forked_from_id = source.id
  FROM (SELECT min(id) AS id FROM projects WHERE visibility = 'public') source
  WHERE projects.id % 5 = 0 AND projects.id <> source.id;
  UPDATE projects SET forked_from_id = id - 1 WHERE id % 7 = 3 AND forked_from_id IS NULL
    AND EXISTS (SELECT FROM projects source WHERE source.id = projects.id - 1);
  INSERT INTO protected_branches (project_id, name)
  SELECT id, branch FROM projects CROSS JOIN unnest('{master,stable/*}'::text[]) branch;
  INSERT INTO protected_tags (project_id, name)
  SELECT id, tag FROM projects CROSS JOIN unnest('{v*,release/*}'::text[]) tag;
  INSERT INTO identities (user_id, provider, extern_uid) SELECT id, 'ldap', 'uid' || id FROM users`;
