import { LRUCache } from 'lru-cache';
import type { Logger } from '../log.ts';

/** Milliseconds in which an error of the queue is logged once. */
const pause = 30_000;

/** What the queue adds to the message of each of its workers. */
const worker = / \(Queue: [^()]*\)$/;

/** Logs errors of the queue: while the database is away, each of its many workers fails every two seconds. */
export function queueErrorLog(log: Pick<Logger, 'error'>): (error: Error) => void {
  const logged = new LRUCache<string, { readonly at: number; omitted: number }>({ max: 100 });
  return (error) => {
    const key = error.message.replace(worker, '');
    const last = logged.get(key);
    if (last && performance.now() - last.at < pause) {
      last.omitted += 1;
      return;
    }
    logged.set(key, { at: performance.now(), omitted: 0 });
    log.error({ err: error, ...(last?.omitted && { omitted: last.omitted }) }, 'queue');
  };
}
