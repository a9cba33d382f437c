import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from '../../prisma/client.ts';
import { type SealingKey, secretsOf } from '../../server/accounts/secrets.ts';

export interface BenchUser {
  readonly id: number;
  readonly token: string;
}

/** The callers of the cases; each has its own token. */
export interface BenchUsers {
  /** A member of 500 groups at every depth, with access to more than 1000. */
  readonly member: BenchUser;
  /** An OAuth access token of `member`. */
  readonly memberAccessToken: string;
  /** A member of 500 groups without subgroups. */
  readonly worker: BenchUser;
  /** A user without memberships. */
  readonly nonMember: BenchUser;
}

export const userCount = 2000;

/** Credentials of a user. */
export interface Login {
  readonly username: string;
  readonly token: string;
}

const tokenOf = (number: number) => `bench-token-${String(number).padStart(8, '0')}`;

/** Credentials of the user with this number, from 1; every fiftieth user is blocked. */
export const loginOf = (number: number): Login => ({
  username: `user${number}`,
  token: tokenOf(number),
});

/** The instance's key, as the server reads it. */
export async function readSecrets(dataFolder: string): Promise<SealingKey> {
  const text = await readFile(join(dataFolder, 'secret.key'), 'utf8');
  return secretsOf(Buffer.from(text.trim(), 'hex'));
}

/** Inserts users with their personal namespaces and tokens; gives the callers of the cases. */
export async function createUsers(session: Session, secrets: SealingKey): Promise<BenchUsers> {
  const numbers = Array.from({ length: userCount }, (_, index) => index + 1);
  const { rows } = await session.query<{ id: number }>(insertUsers, [numbers]);
  const ids = rows.map(({ id }) => id);
  await session.query(insertNamespaces, [ids]);
  await session.query(insertDetails, [ids]);
  const tokens = numbers.map(tokenOf);
  await session.query(
    `INSERT INTO access_tokens (user_id, kind, name, digest, sealed, scopes)
     SELECT id, 'private', 'private token', digest, sealed, '{api}'
     FROM unnest($1::int[], $2::bytea[], $3::text[]) created (id, digest, sealed)`,
    [
      ids,
      tokens.map((token) => Buffer.from(secrets.digest(token))),
      tokens.map((token) => secrets.seal(token)),
    ],
  );
  const account = (number: number) => ({ id: ids[number - 1] as number, token: tokenOf(number) });
  const memberAccessToken = '0123456789abcdef'.repeat(4);
  await session.query(
    `INSERT INTO oauth_tokens (user_id, digest, scopes, family, expires_at)
     VALUES ($1, $2, '{api}', gen_random_uuid(), now() + interval '1 day')`,
    [account(1).id, Buffer.from(secrets.digest(memberAccessToken))],
  );
  return {
    memberAccessToken,
    member: account(1),
    worker: account(2),
    nonMember: account(userCount - 1),
  };
}

/** Every fiftieth is blocked, every fortieth external. */
const insertUsers = `
  INSERT INTO users (username, username_key, email, email_key, name, projects_limit, state,
    is_external, confirmed_at, last_activity_on, updated_at, created_at)
  SELECT 'user' || n, 'user' || n, 'user' || n || '@example.com', 'user' || n || '@example.com',
    (ARRAY['Ada', 'Bjarne', 'Chloe', 'Dennis', 'Edsger', 'Frances', 'Grace', 'Hedy'])[1 + n % 8]
      || ' ' || (ARRAY['Larsen', 'Moreau', 'Novak', 'Okafor', 'Petrov', 'Quist', 'Rossi', 'Sato',
      'Turner', 'Ueda', 'Varga', 'Weber', 'Xu', 'Yilmaz', 'Zuniga'])[1 + n % 15] || ' ' || n,
    100000, CASE WHEN n % 50 = 0 THEN 'blocked' ELSE 'active' END::user_state, n % 40 = 0, now(),
    date '2017-06-01' + n % 400, now(),
    timestamptz '2017-01-01' + n * interval '1 hour 1 second 7 ms'
  FROM unnest($1::int[]) n ORDER BY n RETURNING id`;

const insertNamespaces = `
  WITH own AS (
    SELECT id AS owner_id, username, created_at,
      nextval(pg_get_serial_sequence('namespaces', 'id'))::int AS id
    FROM users WHERE id = ANY($1)
  ), created AS (
    INSERT INTO namespaces (id, kind, owner_id, name, path, full_name, full_path, ancestor_ids,
      visibility, created_at, updated_at)
    SELECT id, 'user', owner_id, username, username, username, username, ARRAY[id], 'public',
      created_at, now()
    FROM own RETURNING id, path
  ) INSERT INTO routes (key, namespace_id) SELECT path, id FROM created`;

/** A third have an LDAP identity; each belongs to one of 50 teams. */
const insertDetails = `
  WITH identified AS (
    INSERT INTO identities (user_id, provider, extern_uid)
    SELECT id, 'ldapmain', 'uid=' || id || ',ou=people' FROM unnest($1::int[]) id WHERE id % 3 = 0
  ) INSERT INTO user_custom_attributes (user_id, key, value)
  SELECT id, 'team', 'team ' || id % 50 FROM unnest($1::int[]) id`;
