import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './protocol.ts';

/** The service cannot be reached, or says that it cannot answer now. */
export const isUnavailable = ({ status }: Pick<Answer, 'status'>): boolean =>
  status >= 500 || status === 429 || status === 408;

/** How long one waits after so many failures in a row, milliseconds. */
export const retryDelay = (failures: number): number =>
  Math.min(200 * 2 ** Math.min(failures, 10), 10_000) * (0.75 + Math.random() / 2);

/** After that long a silence the service has given the job up. */
export const abandonedAfter = 60 * 60_000;

export interface RetryOptions {
  /** Milliseconds from the first attempt; then the last failure is thrown. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Asks until there is an answer: a service that is away is asked again, less and less often. */
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

/** Waits; sooner when told to stop, and never throws. */
export const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, { signal }).catch(() => {});
