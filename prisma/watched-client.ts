import pg from 'pg';
import { ClosingClient } from './closing-client.ts';
import type { CommitWatch } from './commit-watch.ts';
import { Reading, type ResultTooLarge, refusalWithoutCaller } from './reading-limits.ts';

/** Replaces the driver's errors without a code when a connection cannot be opened or breaks. */
export class DatabaseUnreachable extends Error {
  constructor(cause: unknown) {
    super(`The database cannot be reached: ${(cause as Error).message}`, { cause });
    this.name = 'DatabaseUnreachable';
  }
}

/** Called with the text of each statement that is sent; the result is called at its end. */
export type WatchStatement = (text: string) => StatementEnd | null;
type StatementEnd = (error?: unknown) => void;

export interface WatchedClientOptions extends pg.ClientConfig {
  /** Milliseconds after which a connection without a response is destroyed. */
  readonly answerLimit?: number;
  readonly watchStatement?: WatchStatement | undefined;
  /** Gets each COMMIT. */
  readonly commits?: CommitWatch;
}

/** Number of checks within the response limit. */
const looksPerLimit = 10;

/** The parts of the driver's connection that its types leave out. */
interface Connection {
  readonly stream: { on(event: 'data', listener: (chunk: Uint8Array) => void): void };
  on(event: 'readyForQuery', listener: () => void): void;
}

/**
 * A connection that destroys itself when the server stops responding: after a proxy or network
 * drops packets, it would otherwise stay open, and `query_timeout` would return it to the pool with
 * the lost query. Queries that fail because the connection is lost throw `DatabaseUnreachable`.
 *
 * It also destroys itself when a result is larger than its caller may read, as nothing else ends a
 * statement whose rows are being sent: the query throws `ResultTooLarge`.
 */
export class WatchedClient extends ClosingClient {
  #isLost = false;
  #refusal: ResultTooLarge | null = null;
  /** Who sent the last query. */
  #caller: Reading | null = null;
  /** Bytes that have arrived of the current result. */
  #received = 0;
  /** When the last query was sent, by `performance.now()`; null while no response is pending. */
  #askedAt: number | null = null;
  #heardAt = performance.now();

  constructor(options: WatchedClientOptions = {}) {
    super(options);
    const { answerLimit = 0, watchStatement, commits } = options;
    if (answerLimit > 0) this.#watch(answerLimit);
    // the stream is replaced when the connection is encrypted
    this.once('connect', () => this.#measure());
    this.query = explaining(
      this.query,
      (error) => this.#explain(error),
      (statement) => {
        this.#askedAt = performance.now();
        this.#caller = Reading.current;
        const text = textOf(statement);
        const end = watchStatement?.(text) ?? null;
        return commits && text === 'COMMIT' ? withCommit(commits, end) : end;
      },
    );
  }

  /** When the last statement was sent, by `performance.now()`; null while no answer is pending. */
  get pendingSince(): number | null {
    return this.#askedAt;
  }

  /** When the server last sent anything. */
  get heardAt(): number {
    return this.#heardAt;
  }

  /** Checks periodically, because a timer per query would cost more than everything else here. */
  #watch(answerLimit: number): void {
    this.on('drain', () => {
      this.#askedAt = null;
    });
    const timer = setInterval(() => {
      const waited = this.#askedAt === null ? 0 : performance.now() - this.#askedAt;
      if (waited > answerLimit) this.destroy(new Error('no answer in time'));
    }, answerLimit / looksPerLimit).unref();
    this.once('end', () => clearInterval(timer));
  }

  #measure(): void {
    const connection = this.#connection;
    connection.on('readyForQuery', () => {
      this.#received = 0;
    });
    connection.stream.on('data', ({ length }) => {
      this.#heardAt = performance.now();
      this.#received += length;
      this.#caller?.hold(length);
      this.#refusal ??= this.#caller
        ? this.#caller.refusalOf(this.#received)
        : refusalWithoutCaller(this.#received);
      if (this.#refusal) this.destroy(this.#refusal);
    });
  }

  /** The pool passes the event's error to the callers that wait for a response. */
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event !== 'error') return super.emit(event, ...args);
    this.#isLost = true;
    return super.emit(event, this.#explain(args[0]));
  }

  #explain(error: unknown): unknown {
    if (this.#refusal) return this.#refusal;
    const isExplained = error instanceof pg.DatabaseError || error instanceof DatabaseUnreachable;
    return this.#isLost && !isExplained ? new DatabaseUnreachable(error) : error;
  }

  get #connection(): Connection {
    return (this as unknown as { readonly connection: Connection }).connection;
  }
}

/** A COMMIT that the server has answered, even by an error, shows that it commits. */
const withCommit = (commits: CommitWatch, end: StatementEnd | null): StatementEnd => {
  const finish = commits.sent();
  return (error) => {
    if (error === undefined || error === null || error instanceof pg.DatabaseError)
      commits.answered();
    finish();
    end?.(error);
  };
};

/** The statement of a query given as a text or as an object. */
const textOf = (statement: unknown): string =>
  typeof statement === 'string'
    ? statement
    : String((statement as { readonly text?: unknown } | null)?.text ?? '');

type Callback = (error: unknown, ...rest: unknown[]) => unknown;

/**
 * Wraps a function so that its errors are translated, with a callback or a promise. `before` gets the first
 * argument; what it returns is called at the end.
 */
export function explaining<Call extends (...args: never[]) => unknown>(
  call: Call,
  explain: (error: unknown) => unknown,
  before: (first: unknown) => StatementEnd | null = () => null,
): Call {
  return function explained(this: unknown, ...args: unknown[]) {
    const end = before(args[0]);
    const rethrow = (error: unknown) => {
      end?.(error);
      throw explain(error);
    };
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      const explainedCallback: Callback = (error, ...rest) => {
        end?.(error ?? undefined);
        return (callback as Callback)(error ? explain(error) : error, ...rest);
      };
      args[args.length - 1] = explainedCallback;
    }
    const result: unknown = Reflect.apply(call, this, args);
    if (!(result instanceof Promise)) return result;
    return end ? result.then(endingWith(end), rethrow) : result.catch(rethrow);
  } as unknown as Call;
}

const endingWith =
  (end: StatementEnd) =>
  <Result>(result: Result): Result => {
    end();
    return result;
  };
