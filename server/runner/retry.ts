import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './protocol.ts';

/** The service is unreachable or temporarily unavailable. */
export const isUnavailable = ({ status }: Pick<Answer, 'status'>): boolean =>
  status >= 500 || status === 429 || status === 408;

/** Milliseconds to wait after so many consecutive failures: exponential backoff with jitter. */
export const retryDelay = (failures: number): number =>
  Math.min(200 * 2 ** Math.min(failures, 10), 10_000) * (0.75 + Math.random() / 2);

/** The service fails a job after this time without contact. */
export const abandonedAfter = 60 * 60_000;

interface RetryOptions {
  /** Milliseconds from the first attempt; then the last error is thrown. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Retries with backoff until the service responds. */
export async function retryUntilAnswered<T extends Pick<Answer, 'status'>>(
  ask: () => Promise<T>,
  { limit, signal }: RetryOptions,
): Promise<T> {
  const end = Date.now() + limit;
  for (let failures = 0; ; failures += 1) {
    signal.throwIfAborted();
    let failure: unknown;
    try {
      const answer = await ask();
      if (!isUnavailable(answer)) return answer;
      failure = new Error(`the service answered ${answer.status}`);
    } catch (error) {
      failure = error;
    }
    const pause = retryDelay(failures);
    if (Date.now() + pause > end) throw failure;
    await delay(pause, undefined, { signal });
  }
}

/** Waits; returns early when aborted, and never throws. */
export const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, { signal }).catch(() => {});
