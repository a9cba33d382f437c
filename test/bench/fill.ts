import { openSession, type Session } from '../../prisma/client.ts';
import { rootToken } from './service.ts';

const developerLevel = 30;

/** Adds a user as a developer; `url` is the members endpoint of a group or project. */
export async function addDeveloper(url: string, userId: number): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Private-Token': rootToken, 'Content-Type': 'application/json' },
    body: JSON.stringify({ user_id: userId, access_level: developerLevel }),
  });
  if (response.status !== 201) throw new Error(`${url} responded with ${response.status}`);
}

/** Inserts rows in bulk, then vacuums and analyzes the tables as autovacuum would within a minute. */
export async function inBulk(
  databaseUrl: string,
  write: (session: Session) => Promise<void>,
): Promise<void> {
  const session = await openSession(databaseUrl);
  try {
    // foreign keys are valid here, and checking each one takes half of the time
    await session.query('SET session_replication_role = replica');
    await write(session);
    await session.query('VACUUM ANALYZE');
  } finally {
    await session.end();
  }
}
