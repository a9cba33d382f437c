import { AsyncLocalStorage } from 'node:async_hooks';
import { type Holder, memoryShares } from './memory-shares.ts';

const megabyte = 2 ** 20;

/**
 * Bytes that a request may read from the database. The text of a result takes up to twice as many bytes in memory,
 * its values as many again, and the response made of them more: the heap must have room for those of all requests.
 */
const mostOfRequest = 24 * megabyte;

/** Bytes of a statement's result below which it is never refused. */
const small = megabyte;

/** What the requests of this process hold together. */
const shares = memoryShares({
  total: 48 * megabyte,
  perHolder: mostOfRequest,
  guaranteed: {
    'signed in': 12 * megabyte,
    'new account': 6 * megabyte,
    anonymous: 6 * megabyte,
    background: 0,
  },
  modest: 3 * megabyte,
});

/** Thrown if a statement's result is larger than its request may read. */
export class ResultTooLarge extends Error {
  /** Whether the same statement succeeds when other requests have finished. */
  readonly isTemporary: boolean;

  constructor(isTemporary: boolean) {
    super(
      isTemporary ? 'Other requests read too much' : 'The result of the statement is too large',
    );
    this.name = 'ResultTooLarge';
    this.isTemporary = isTemporary;
  }
}

const readings = new AsyncLocalStorage<Reading>();

/** What a request has read from the database, which is in memory until the request ends. */
export class Reading {
  readonly #findReader: () => Holder;
  #reader: Holder;
  #held = 0;
  #hasEnded = false;

  /** `findReader` gives the reader at any time: a request is anonymous until its credential has been read. */
  constructor(findReader: () => Holder) {
    this.#findReader = findReader;
    this.#reader = findReader();
  }

  /** That of the request that runs now; null for background jobs and commands. */
  static get current(): Reading | null {
    return readings.getStore() ?? null;
  }

  /** Runs `work`: the statements that it causes are read by this request. */
  run<Result>(work: () => Result): Result {
    return readings.run(this, work);
  }

  hold(bytes: number): void {
    // what a response that is closed already still reads is not kept
    if (this.#hasEnded) return;
    const reader = this.#findReader();
    if (reader !== this.#reader) {
      shares.hold(this.#reader, -this.#held);
      shares.hold(reader, this.#held);
      this.#reader = reader;
    }
    this.#held += bytes;
    shares.hold(reader, bytes);
  }

  end(): void {
    this.#hasEnded = true;
    shares.hold(this.#reader, -this.#held);
    this.#held = 0;
  }

  /** Why a statement with a result of so many bytes may not be read further; null if it may. */
  refusalOf(bytes: number): ResultTooLarge | null {
    if (bytes <= small) return null;
    // no client waits for it, and nothing would count it
    if (this.#hasEnded) return new ResultTooLarge(false);
    if (this.#held > mostOfRequest) return new ResultTooLarge(false);
    return shares.fits(this.#reader) ? null : new ResultTooLarge(true);
  }
}

/** As `Reading.refusalOf`, for statements of no request. */
export const refusalWithoutCaller = (bytes: number): ResultTooLarge | null =>
  bytes > mostOfRequest ? new ResultTooLarge(false) : null;
