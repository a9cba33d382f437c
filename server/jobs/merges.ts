import type { Logger } from 'pino';
import { nowAndThen, type Rounds } from './now-and-then.ts';

/** How often merges that a dead process left are looked for, where nothing else leads to them. */
const interval = 300_000;

/** Settles merges that a kill cut off: at a start, which does not wait for it, and now and then. */
export const settleLockedMerges = (settle: () => Promise<void>, log: Logger): Rounds =>
  nowAndThen(interval, settle, (error) => log.error({ err: error }, 'merges unsettled'), settle());
