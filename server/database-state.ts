import type { Database } from '../prisma/client.ts';

/** Two equal states hold equal data. Null while a push may move references at any moment. */
export type DatabaseState = () => Promise<string | null>;

/**
 * Reads which transactions of the database have committed. A change that ended before the call is in the
 * result: calls that come while the state is read wait for the next reading, which they share.
 */
export function databaseState(db: Pick<Database, '$queryRaw'>): DatabaseState {
  let reading: Promise<unknown> = Promise.resolve();
  let next: Promise<string | null> | null = null;
  return () => {
    next ??= reading.then(() => {
      next = null;
      const started = read(db);
      reading = started.catch(() => {});
      return started;
    });
    return next;
  };
}

/**
 * The snapshot names every transaction that has committed. References of repositories move between the entry
 * of a push in the ledger and its removal, so that without entries they are as old as the snapshot, too.
 */
async function read(db: Pick<Database, '$queryRaw'>): Promise<string | null> {
  const [state] = await db.$queryRaw<[{ snapshot: string; isMoving: boolean }]>`
    SELECT pg_current_snapshot()::text AS snapshot,
      EXISTS (SELECT FROM pushes) AS "isMoving"`;
  return state.isMoving ? null : state.snapshot;
}
