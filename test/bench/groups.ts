import type { Session } from '../../prisma/client.ts';
import type { BenchUsers } from './users.ts';

/** Groups at each depth: 20 at the top level, 80 at the second, and so on; 2000 in total. */
const depths = [20, 80, 320, 1580] as const;

export const groupCount = depths.reduce((sum, count) => sum + count, 0);

/** Direct group memberships of each caller. */
const memberships = 500;

/** Subgroups of the first group of the third depth; all other groups have a few. */
const manySubgroups = 200;

/** Additional users in the first group. */
const manyMembers = 800;

/** The first group of the third depth has 200 subgroups, the very first group 800 members. */
export async function createGroups(session: Session, users: BenchUsers): Promise<void> {
  for (const [depth, count] of depths.entries()) {
    const before = depths.slice(0, depth).reduce((sum, groups) => sum + groups, 0);
    const above = depths[depth - 1] ?? 0;
    await session.query(depth === 0 ? insertTop : insertBelow, [
      before,
      count,
      ...(depth === 0 ? [] : [before - above, above, depth === 3 ? manySubgroups : 0]),
    ]);
  }
  await session.query(insertMembers);
  await session.query(insertManyMembers, [manyMembers]);
  // spread over all depths: top-level groups give access to many more
  await session.query(joinGroups, [users.member.id, memberships, 0]);
  const aboveBottom = groupCount - depths[3];
  await session.query(joinGroups, [users.worker.id, memberships, aboveBottom]);
}

/** A group's number determines its fields; every fourteenth is less visible than its parent. */
const insertTop = `
  WITH own AS (
    SELECT n, nextval(pg_get_serial_sequence('namespaces', 'id'))::int AS id
    FROM generate_series($1::int + 1, $1::int + $2::int) n
  ), created AS (
    INSERT INTO namespaces (id, kind, name, path, full_name, full_path, ancestor_ids, description,
      visibility, created_at, updated_at)
    SELECT id, 'group', 'Team ' || n, 'team-' || n, 'Team ' || n, 'team-' || n, ARRAY[id],
      'What team ' || n || ' works on',
      CASE WHEN n % 7 = 5 THEN 'internal' WHEN n % 7 = 6 THEN 'private' ELSE 'public' END::visibility,
      timestamptz '2017-02-01' + n * interval '3 hours 17 ms', now()
    FROM own RETURNING id, full_path
  ) INSERT INTO routes (key, namespace_id) SELECT full_path, id FROM created`;

/** $3: groups before the parent level. $4: groups on it. $5: how many are in its first group. */
const insertBelow = `
  WITH above AS (
    SELECT *, row_number() OVER (ORDER BY id) AS n FROM namespaces WHERE kind = 'group'
  ), own AS (
    SELECT n, nextval(pg_get_serial_sequence('namespaces', 'id'))::int AS id,
      $3::int + CASE WHEN n <= $1::int + $5::int THEN 1 ELSE 1 + n * 7 % $4::int END AS above_n
    FROM generate_series($1::int + 1, $1::int + $2::int) n
  ), created AS (
    INSERT INTO namespaces (id, kind, parent_id, name, path, full_name, full_path, ancestor_ids,
      description, visibility, created_at, updated_at)
    SELECT own.id, 'group', above.id, 'Team ' || own.n, 'team-' || own.n,
      above.full_name || ' / Team ' || own.n, above.full_path || '/team-' || own.n,
      above.ancestor_ids || own.id, 'What team ' || own.n || ' works on',
      CASE WHEN own.n % 14 = 13 THEN 'private' ELSE above.visibility END,
      timestamptz '2017-02-01' + own.n * interval '3 hours 17 ms', now()
    FROM own JOIN above ON above.n = above_n
    RETURNING id, full_path
  ) INSERT INTO routes (key, namespace_id) SELECT full_path, id FROM created`;

const team = `(SELECT id, row_number() OVER (ORDER BY id) AS n FROM namespaces WHERE kind = 'group') team`;
const account = `(SELECT id, row_number() OVER (ORDER BY id) AS n FROM users WHERE username LIKE 'user%') account`;

/** Six members in each group, of every access level, the first one an owner. */
const insertMembers = `
  INSERT INTO members (user_id, namespace_id, access_level)
  SELECT account.id, team.id, (ARRAY[50, 40, 30, 30, 20, 10])[1 + seat]
  FROM ${team} CROSS JOIN generate_series(0, 5) seat
  JOIN ${account} ON account.n = 10 + (team.n * 7 + seat * 331) % 1900`;

const insertManyMembers = `
  INSERT INTO members (user_id, namespace_id, access_level)
  SELECT account.id, (SELECT min(id) FROM namespaces WHERE kind = 'group'), 30
  FROM ${account} WHERE n BETWEEN 11 AND 10 + $1::int
  ON CONFLICT DO NOTHING`;

/** Adds user $1 to $2 of the groups after the first $3, at every level, and 20 expired memberships. */
const joinGroups = `
  INSERT INTO members (user_id, namespace_id, access_level, expires_at)
  SELECT $1::int, id, (ARRAY[10, 20, 30, 40, 50])[1 + (place + 3) % 5],
    CASE WHEN place > $2::int THEN date '2018-01-01' END
  FROM (
    SELECT team.id, row_number() OVER (ORDER BY (team.n - 1) * 7919 % 2003) AS place
    FROM ${team} WHERE team.n > $3::int
  ) chosen WHERE place <= $2::int + 20`;
