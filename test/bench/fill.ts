import { openSession, type Session } from '../../prisma/client.ts';
import { rootToken } from './service.ts';

const developerLevel = 30;

/** Makes somebody a developer; `url` is where members of a group or project are. */
export async function enter(url: string, userId: number): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Private-Token': rootToken, 'Content-Type': 'application/json' },
    body: JSON.stringify({ user_id: userId, access_level: developerLevel }),
  });
  if (answer.status !== 201) throw new Error(`${url} answered ${answer.status}`);
}

/** Writes rows in bulk, and leaves the tables as autovacuum would within the minute. */
export async function inBulk(
  databaseUrl: string,
  write: (session: Session) => Promise<void>,
): Promise<void> {
  const session = await openSession(databaseUrl);
  try {
    // what is referred to is there, and to look for it each time costs half of the time
    await session.query('SET session_replication_role = replica');
    await write(session);
    await session.query('VACUUM ANALYZE');
  } finally {
    await session.end();
  }
}
