import type { Database } from '../../prisma/client.ts';

interface Horizon {
  /** All transactions before this one have ended. */
  readonly xid: string;
  /** PostgreSQL's time in seconds. */
  readonly at: number;
}

/** Longer than a value is remembered (remembered.ts), in seconds. */
const kept = 20 * 60;

/**
 * Deletes recorded changes, when it runs again, that no remembered value needs. Their age does not
 * tell this: a long transaction commits rows that it wrote hours ago. But each snapshot of the last
 * minutes sees all transactions that had ended before it.
 */
export function oldChangesDeletion(
  db: Pick<Database, '$queryRaw' | '$executeRaw'>,
  keptFor = kept,
): () => Promise<void> {
  let horizon: Horizon | null = null;
  return async () => {
    const [current] = await db.$queryRaw<[Horizon]>`
      SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xid,
        extract(epoch FROM now())::float8 AS at`;
    if (horizon && current.at - horizon.at < keptFor) return;
    if (horizon) await db.$executeRaw`DELETE FROM table_changes WHERE xid < ${horizon.xid}::xid8`;
    horizon = current;
  };
}
