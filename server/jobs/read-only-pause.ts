import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from 'pg-boss';
import { databaseFailure } from '../../prisma/failures.ts';

/** Milliseconds between attempts of one statement while the database is read-only. */
const interval = 1_000;

/** Statements that wait; every running job adds a heartbeat each few seconds. */
const mostWaiting = 1_000;

interface PauseOptions {
  /** Called once when the database begins to refuse writes. */
  readonly onPause: (error: Error) => void;
}

/**
 * Lets the queue wait while the database is read-only, in place of failing each poll of each worker: the first
 * statement that is refused is repeated every second, the others follow when it succeeds. So the result of a job that
 * ended meanwhile is recorded and not lost, and the job does not count as failed. Statements that only read are not
 * affected. The result ends the waiting, for a shutdown.
 */
export function pauseWhileReadOnly(db: Db, { onPause }: PauseOptions): () => void {
  const execute = db.executeSql.bind(db);
  const closing = new AbortController();
  let pause: PromiseWithResolvers<void> | null = null;
  let waiting = 0;

  /** Waits for the end of the pause, or for the next attempt if the statement is the first one. */
  const wait = async (error: Error): Promise<void> => {
    if (closing.signal.aborted || waiting >= mostWaiting) throw error;
    waiting += 1;
    try {
      if (pause) return await pause.promise;
      pause = Promise.withResolvers<void>();
      onPause(error);
      await repeatable(error);
    } finally {
      waiting -= 1;
    }
  };
  const repeatable = (error: Error) =>
    delay(interval, undefined, { ref: false, signal: closing.signal }).catch(() => {
      resume();
      throw error;
    });
  const resume = () => {
    pause?.resolve();
    pause = null;
  };

  db.executeSql = async (text, values) => {
    for (let isFirst = false; ; ) {
      try {
        const result = await execute(text, values);
        if (isFirst) resume();
        return result;
      } catch (error) {
        if (databaseFailure(error) !== 'read-only') {
          if (isFirst) resume();
          throw error;
        }
        if (isFirst) await repeatable(error as Error);
        else {
          isFirst = pause === null;
          await wait(error as Error);
        }
      }
    }
  };
  return () => closing.abort();
}
