import type { Logger } from 'pino';
import type { Database } from '../../prisma/client.ts';
import { nowAndThen, type Rounds } from './now-and-then.ts';

/** A push younger than this is most likely in the hands of the process that received it. */
const settlesWithin = 60_000;

/** After this no process moves references for it any more. */
const overAfter = 3_600_000;

/** How often what a dead process left is looked for; also covers processes that never come back. */
const interval = 30_000;

export interface LedgerWatch extends Rounds {
  /** Settles every push that was left open; at a start, whatever its age. */
  now(): Promise<void>;
}

/**
 * Settles the pushes, and edits of wikis, whose consequences a kill cut off; settling one twice changes
 * nothing.
 */
export function settleLedger(
  db: Database,
  settle: (id: bigint, isOver: boolean) => Promise<void>,
  log: Logger,
): LedgerWatch {
  const sweep = async (before: Date) => {
    const left = await db.push.findMany({
      where: { createdAt: { lt: before } },
      orderBy: { id: 'asc' },
      take: 1000,
      select: { id: true, createdAt: true },
    });
    for (const { id, createdAt } of left) {
      const isOver = createdAt.getTime() < Date.now() - overAfter;
      await settle(id, isOver).catch((error) =>
        log.error({ err: error, push: String(id) }, 'push unsettled'),
      );
    }
  };
  const rounds = nowAndThen(
    interval,
    () => sweep(new Date(Date.now() - settlesWithin)),
    (error) => log.error({ err: error }, 'ledger'),
  );
  return { ...rounds, now: () => sweep(new Date()) };
}
