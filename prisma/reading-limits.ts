import { AsyncLocalStorage } from 'node:async_hooks';

const megabyte = 2 ** 20;

/**
 * Bytes that a caller, such as a request, may read from the database, and that all callers of this process
 * may hold. The text of a result takes up to twice as many bytes in memory, its values as many again, and
 * the response made of them more: the heap must have room for all of it.
 */
const mostOfCaller = 24 * megabyte;
const mostOfAll = 48 * megabyte;

/** Bytes of a statement's result below which it is never refused. */
const small = megabyte;

/** Thrown if a statement's result is larger than its caller may read. */
export class ResultTooLarge extends Error {
  /** Whether the same statement succeeds when other callers have finished. */
  readonly isTemporary: boolean;

  constructor(isTemporary: boolean) {
    super(isTemporary ? 'Other callers read too much' : 'The result of the statement is too large');
    this.name = 'ResultTooLarge';
    this.isTemporary = isTemporary;
  }
}

const callers = new AsyncLocalStorage<Reading>();

let heldByAll = 0;

/** What a caller has read from the database, which is in memory until the caller ends. */
export class Reading {
  #held = 0;
  #hasEnded = false;

  /** The caller that runs now; null for background jobs and commands. */
  static get current(): Reading | null {
    return callers.getStore() ?? null;
  }

  /** Runs `work`: the statements that it causes are read by this caller. */
  run<Result>(work: () => Result): Result {
    return callers.run(this, work);
  }

  hold(bytes: number): void {
    // what a response that is closed already still reads is not kept
    if (this.#hasEnded) return;
    this.#held += bytes;
    heldByAll += bytes;
  }

  end(): void {
    this.#hasEnded = true;
    heldByAll -= this.#held;
    this.#held = 0;
  }

  /** Why a statement with a result of so many bytes may not be read further; null if it may. */
  refusalOf(bytes: number): ResultTooLarge | null {
    if (bytes <= small) return null;
    // no client waits for it, and nothing would count it
    if (this.#hasEnded) return new ResultTooLarge(false);
    if (this.#held > mostOfCaller) return new ResultTooLarge(false);
    return heldByAll > mostOfAll ? new ResultTooLarge(true) : null;
  }
}

/** As `Reading.refusalOf`, for statements of no caller. */
export const refusalWithoutCaller = (bytes: number): ResultTooLarge | null =>
  bytes > mostOfCaller ? new ResultTooLarge(false) : null;
