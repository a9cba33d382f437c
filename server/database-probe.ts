import { setTimeout as delay } from 'node:timers/promises';
import { type Database, renewConnections } from '../prisma/client.ts';
import { sharePending } from './share-pending.ts';

/** What the database can do now. */
export type DatabaseCondition = 'writable' | 'read-only' | 'unreachable';

/**
 * Reads what the database can do, and does not wait for it longer than `waitMs`. Concurrent callers share one
 * query: they must not exhaust the pool while the database hangs. Connections that cannot write are closed, so that
 * the next ones reach the database that can.
 */
export function databaseProbe(db: Database, waitMs: number): () => Promise<DatabaseCondition> {
  let isReadOnly = false;
  const ask = sharePending(async (): Promise<DatabaseCondition> => {
    try {
      // also `on` on a standby
      const [row] = await db.$queryRaw<[{ setting: string }]>`
        SELECT current_setting('transaction_read_only') AS setting`;
      const wasReadOnly = isReadOnly;
      isReadOnly = row.setting === 'on';
      // at the end, too: other connections may still lead to the former database
      if (isReadOnly || wasReadOnly) renewConnections(db, !isReadOnly);
      return isReadOnly ? 'read-only' : 'writable';
    } catch {
      return 'unreachable';
    }
  });
  return () => Promise.race([ask(), delay(waitMs, 'unreachable' as const, { ref: false })]);
}
