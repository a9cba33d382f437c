import pg from 'pg';

/** Thrown in place of the driver's own errors, which have no code, when a connection cannot be had or broke. */
export class DatabaseUnreachable extends Error {
  constructor(cause: unknown) {
    super(`The database cannot be reached: ${(cause as Error).message}`, { cause });
    this.name = 'DatabaseUnreachable';
  }
}

export interface WatchedClientOptions extends pg.ClientConfig {
  /** Milliseconds that an answer may take before the connection counts as dead and is destroyed. */
  readonly answerLimit?: number;
}

/** How often within the limit of an answer a connection is looked at. */
const looksPerLimit = 10;

/**
 * A connection that destroys itself when the server stops answering: a proxy or a network that drops
 * packets leaves it open otherwise, and `query_timeout` returns it to the pool with the lost query still
 * on it. What fails because the connection is gone fails as `DatabaseUnreachable`.
 */
export class WatchedClient extends pg.Client {
  #isLost = false;
  /** When the last query was sent, by `performance.now()`; null while no answer is awaited. */
  #askedAt: number | null = null;

  constructor(options: WatchedClientOptions = {}) {
    super(options);
    const { answerLimit = 0 } = options;
    if (answerLimit > 0) this.#watch(answerLimit);
    this.query = explaining(
      this.query,
      (error) => this.#explain(error),
      () => {
        this.#askedAt = performance.now();
      },
    );
  }

  /** Looks now and then, because a timer for each query would cost more than all else here. */
  #watch(answerLimit: number): void {
    this.on('drain', () => {
      this.#askedAt = null;
    });
    const timer = setInterval(() => {
      const waited = this.#askedAt === null ? 0 : performance.now() - this.#askedAt;
      if (waited > answerLimit) this.#destroy();
    }, answerLimit / looksPerLimit).unref();
    this.once('end', () => clearInterval(timer));
  }

  /** The pool passes the event's error on to the callers that wait for an answer. */
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event !== 'error') return super.emit(event, ...args);
    this.#isLost = true;
    return super.emit(event, this.#explain(args[0]));
  }

  #explain(error: unknown): unknown {
    const isExplained = error instanceof pg.DatabaseError || error instanceof DatabaseUnreachable;
    return this.#isLost && !isExplained ? new DatabaseUnreachable(error) : error;
  }

  #destroy(): void {
    const { connection } = this as unknown as {
      connection: { stream: { destroy(error: Error): void } };
    };
    connection.stream.destroy(new Error('no answer in time'));
  }
}

/** A pool of such connections; that none can be had in time is `DatabaseUnreachable`, too. */
export function watchedPool(options: pg.PoolConfig & WatchedClientOptions): pg.Pool {
  const pool = new pg.Pool({ ...options, Client: WatchedClient });
  pool.connect = explaining(pool.connect, (error) =>
    error instanceof pg.DatabaseError ? error : new DatabaseUnreachable(error),
  );
  return pool;
}

type Callback = (error: unknown, ...rest: unknown[]) => unknown;

/** The same function, with its errors explained whether it takes a callback or returns a promise. */
function explaining<Call extends (...args: never[]) => unknown>(
  call: Call,
  explain: (error: unknown) => unknown,
  before: () => void = () => {},
): Call {
  const rethrow = (error: unknown) => {
    throw explain(error);
  };
  return function explained(this: unknown, ...args: unknown[]) {
    before();
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      const explainedCallback: Callback = (error, ...rest) =>
        (callback as Callback)(error ? explain(error) : error, ...rest);
      args[args.length - 1] = explainedCallback;
    }
    const result: unknown = Reflect.apply(call, this, args);
    return result instanceof Promise ? result.catch(rethrow) : result;
  } as unknown as Call;
}
