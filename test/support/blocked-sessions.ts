import { expect } from 'vitest';
import type { Database, Transaction } from '../../prisma/client.ts';

/**
 * Sends a request that needs a row which a transaction of the test has locked, runs `change` while it
 * waits, then lets it go on: gives its response. Needs a database client with two connections.
 */
export function whileItWaits<T>(
  db: Database,
  {
    lock,
    send,
    change,
  }: {
    readonly lock: (tx: Transaction) => Promise<unknown>;
    readonly send: () => Promise<T>;
    readonly change: () => Promise<unknown>;
  },
): Promise<T> {
  const waiting = async () => {
    const [row] = await db.$queryRaw<[{ count: number }]>`
      SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return row.count;
  };
  return db
    .$transaction(
      async (tx) => {
        await lock(tx);
        const response = send();
        await expect.poll(waiting).toBeGreaterThan(0);
        await change();
        return { response };
      },
      { timeout: 60_000 },
    )
    .then(({ response }) => response);
}
