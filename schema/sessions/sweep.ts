import { type Database, Prisma } from '../../prisma/client.ts';

/** Deletes some of the expired sessions, including those of users who never came back. */
export const sweepSessions = (db: Database, table: 'browser_sessions' | 'soap_sessions') => {
  const sessions = Prisma.raw(table);
  return db.$executeRaw`
    DELETE FROM ${sessions} WHERE id IN (
      SELECT id FROM ${sessions} WHERE expires_at <= now()
      ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED)`;
};
