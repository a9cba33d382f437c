import { AsyncLocalStorage } from 'node:async_hooks';
import { ObjectsUnavailable } from '../../schema/kernel/outage.ts';

/**
 * Milliseconds that a request waits for the store altogether. Shorter than PostgreSQL lets a transaction wait: some
 * requests are made while a row is locked.
 */
const usual = 20_000;
let most = usual;

/** Sets how long a request waits for the object store, in milliseconds. */
export function setWaitLimit(milliseconds = usual): void {
  most = milliseconds;
}

/** The part of it for which an open circuit breaker refuses calls, before the next one tries the store. */
const pauseShare = 1 / 4;

/** Bytes a millisecond that count as progress: a store that sends less is stalled. */
const slowestRate = 64;

/** Milliseconds that a response may take without being counted. */
const quick = 2_000;

/** What the store has done while a caller waited. */
export interface Progress {
  /** That were transferred. */
  readonly bytes?: number;
  readonly isResponse?: boolean;
}

/**
 * The time that one request of a user, or one job, waits for the object store: each call, each attempt and each
 * chunk of a body takes from the same. What the store does in reasonable time is given back, so that it does not
 * limit how long a transfer is.
 */
export class WaitBudget {
  #spent = 0;
  #waits = 0;
  #since = 0;

  /** Milliseconds. */
  get left(): number {
    this.#count();
    return most - this.#spent;
  }

  /** Counts until `end` is called. Waits at the same time count once. */
  begin(): { readonly end: (progress: Progress) => void } {
    this.#count();
    this.#waits += 1;
    return {
      end: ({ bytes = 0, isResponse = false }) => {
        this.#count();
        this.#waits -= 1;
        const back = bytes / slowestRate + (isResponse ? quick : 0);
        this.#spent = Math.max(0, this.#spent - back);
      },
    };
  }

  #count(): void {
    const now = performance.now();
    if (this.#waits > 0) this.#spent += now - this.#since;
    this.#since = now;
  }
}

const scopes = new AsyncLocalStorage<WaitBudget>();

/** Runs `work`, all of whose calls to the object store have `budget` together. */
export const withWaitBudget = <Result>(work: () => Result, budget = new WaitBudget()): Result =>
  scopes.run(budget, work);

/** That of the current request or job; a new one outside of them. */
export const currentWaitBudget = (): WaitBudget => scopes.getStore() ?? new WaitBudget();

const silent = (): ObjectsUnavailable =>
  new ObjectsUnavailable(
    `the object store failed: it did not respond within ${Math.ceil(most / 1_000)} s`,
  );

/**
 * Runs `work`, whose signal is aborted once `budget` is used up, and throws `ObjectsUnavailable` then. `progressOf`
 * says what the store has done.
 */
export async function waitWithin<Result>(
  budget: WaitBudget,
  work: (signal: AbortSignal) => Promise<Result>,
  progressOf: (result: Result) => Progress,
): Promise<Result> {
  if (budget.left <= 0) throw silent();
  const giveUp = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const { left } = budget;
    if (left <= 0) giveUp.abort(silent());
    // other calls of the same request have made progress meanwhile
    else timer = setTimeout(look, Math.max(1, left));
  };
  const wait = budget.begin();
  look();
  let progress: Progress = {};
  try {
    const result = await work(giveUp.signal);
    progress = progressOf(result);
    return result;
  } catch (error) {
    if (giveUp.signal.aborted) throw giveUp.signal.reason;
    throw error;
  } finally {
    clearTimeout(timer);
    wait.end(progress);
  }
}

const isSilence = (error: unknown): boolean =>
  error instanceof ObjectsUnavailable || (error as Error).name === 'TimeoutError';

/**
 * Refuses calls at once while the store responds to none: each would hold a connection of the database or a place of
 * a queue as long as the first one did. One call at a time tries again.
 */
export function circuitBreaker(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let respondedAt = 0;
  let openUntil = 0;
  let isTrying = false;
  return async (work) => {
    const start = performance.now();
    const isOpen = openUntil > 0;
    if (isOpen && (isTrying || start < openUntil)) throw silent();
    if (isOpen) isTrying = true;
    const close = () => {
      respondedAt = performance.now();
      openUntil = 0;
    };
    try {
      const result = await work();
      close();
      return result;
    } catch (error) {
      const end = performance.now();
      // what is left of the budget of a request that has waited elsewhere says little
      const isTelling = end - start > most / 4 && respondedAt < start;
      if (!isSilence(error)) close();
      else if (isTelling) openUntil = end + most * pauseShare;
      throw error;
    } finally {
      if (isOpen) isTrying = false;
    }
  };
}
