import type { Database } from '../../prisma/client.ts';
import { databaseProbe } from '../database-probe.ts';
import { type PeriodicWork, runPeriodically } from './periodic.ts';

/** Milliseconds. */
const probeLimit = 5_000;

interface WatchTimes {
  /** Milliseconds between looks at the database. */
  readonly interval: number;
  /** Milliseconds in which runners that were refused repeat what they had to send. */
  readonly returnLimit: number;
}

const usual: WatchTimes = { interval: 10_000, returnLimit: 240_000 };

export interface OutageWatch extends PeriodicWork {
  /** Whether runners have had the time to report since the last outage, or since the start. */
  isOver(): boolean;
}

/**
 * Watches whether the database can be written. While it cannot, nothing that runners send is recorded, so that
 * their silence means nothing.
 */
export function watchOutages(db: Database, times: Partial<WatchTimes> = {}): OutageWatch {
  const { interval, returnLimit } = { ...usual, ...times };
  const condition = databaseProbe(db, probeLimit);
  let lastOutage = performance.now();
  const look = async () => {
    if ((await condition()) !== 'writable') lastOutage = performance.now();
  };
  return {
    ...runPeriodically(interval, look, () => {}),
    isOver: () => performance.now() - lastOutage >= returnLimit,
  };
}
