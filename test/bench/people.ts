import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from '../../prisma/client.ts';
import { type SealingKey, secretsOf } from '../../server/accounts/secrets.ts';

/** Who asks in the cases; their tokens are theirs alone. */
export interface People {
  /** A member of some groups and projects, no administrator. */
  readonly member: { readonly id: number; readonly token: string };
}

export const userCount = 500;

const tokenOf = (number: number) => `bench-token-${String(number).padStart(8, '0')}`;

/** The instance's key, as the server reads it. */
export async function readSecrets(dataFolder: string): Promise<SealingKey> {
  const text = await readFile(join(dataFolder, 'secret.key'), 'utf8');
  return secretsOf(Buffer.from(text.trim(), 'hex'));
}

/** People with their personal namespaces and tokens, in bulk; gives those who ask in the cases. */
export async function makePeople(session: Session, secrets: SealingKey): Promise<People> {
  const numbers = Array.from({ length: userCount }, (_, index) => index + 1);
  const { rows } = await session.query<{ id: number }>(
    `INSERT INTO users (username, username_key, email, email_key, name, projects_limit,
       confirmed_at, updated_at, created_at)
     SELECT 'user' || n, 'user' || n, 'user' || n || '@example.com', 'user' || n || '@example.com',
       'User Number ' || n, 100000, now(), now(), timestamptz '2017-01-01' + n * interval '1 hour 1 second 7 ms'
     FROM unnest($1::int[]) n ORDER BY n RETURNING id`,
    [numbers],
  );
  const ids = rows.map(({ id }) => id);
  await session.query(
    `WITH own AS (
       SELECT id AS owner_id, username, created_at,
         nextval(pg_get_serial_sequence('namespaces', 'id'))::int AS id
       FROM users WHERE id = ANY($1)
     ), made AS (
       INSERT INTO namespaces (id, kind, owner_id, name, path, full_name, full_path, ancestor_ids,
         visibility, created_at, updated_at)
       SELECT id, 'user', owner_id, username, username, username, username, ARRAY[id], 'public',
         created_at, now()
       FROM own RETURNING id, path
     ) INSERT INTO routes (key, namespace_id) SELECT path, id FROM made`,
    [ids],
  );
  const tokens = numbers.map(tokenOf);
  await session.query(
    `INSERT INTO access_tokens (user_id, kind, name, digest, sealed, scopes)
     SELECT id, 'private', 'private token', digest, sealed, '{api}'
     FROM unnest($1::int[], $2::bytea[], $3::text[]) made (id, digest, sealed)`,
    [
      ids,
      tokens.map((token) => Buffer.from(secrets.digest(token))),
      tokens.map((token) => secrets.seal(token)),
    ],
  );
  return { member: { id: ids[0] as number, token: tokenOf(1) } };
}
