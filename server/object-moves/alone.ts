import { openSession } from '../../prisma/client.ts';

/** Names the lock of moves and backups in the database. */
const lockName = 'millrace objects';

/** Milliseconds that a backup waits for a move. */
const patience = 120_000;

/**
 * Runs `work` while no other move and no backup runs, in any process; false if one does. A listing of both
 * places misses an object that moves meanwhile.
 */
export async function whileAlone(url: string, work: () => Promise<void>): Promise<boolean> {
  const session = await openSession(url);
  try {
    const { rows } = await session.query(
      `SELECT pg_try_advisory_lock(hashtextextended('${lockName}', 0)) AS held`,
    );
    if (!rows[0]?.held) return false;
    await work();
    return true;
  } finally {
    await session.end();
  }
}

/** Runs `work` while no move runs; waits for one, and rejects if it takes too long. */
export async function whileNothingMoves<T>(url: string, work: () => Promise<T>): Promise<T> {
  const session = await openSession(url);
  try {
    await session.query(`SET lock_timeout = ${patience}`);
    await session
      .query(`SELECT pg_advisory_lock_shared(hashtextextended('${lockName}', 0))`)
      .catch((error: unknown) => {
        throw new Error(
          'Files are being moved to or from the object store. Repeat this when they have moved.',
          { cause: error },
        );
      });
    return await work();
  } finally {
    await session.end();
  }
}
