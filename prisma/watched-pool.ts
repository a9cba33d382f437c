import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import pg from 'pg';
import { type CommitWatch, commitWatch } from './commit-watch.ts';
import { type OpenConnections, openConnections } from './dead-connections.ts';
import { type ConnectionTurns, plainTurns, shareConnections } from './shared-pool.ts';
import {
  type Callback,
  DatabaseUnreachable,
  explaining,
  WatchedClient,
  type WatchedClientOptions,
} from './watched-client.ts';
import { limitWriters } from './writer-limit.ts';

/** In which order callers get connections. */
export interface PoolTurns {
  readonly all: ConnectionTurns;
  /** Of those that change data, which take a turn of `all` afterwards. */
  readonly writers: ConnectionTurns;
}

export interface WatchedPoolOptions extends pg.PoolConfig, WatchedClientOptions {
  readonly max: number;
  /** Milliseconds that a caller may wait for a connection. */
  readonly connectionTimeoutMillis: number;
  /** Milliseconds without an answer after which a connection may be dead; null behind a pooler, which hides it. */
  readonly deadAfter: number | null;
  /** Milliseconds after which a COMMIT without an answer means that none gets one. */
  readonly stuckAfter: number;
  /** By default callers get connections in the order of their statements. */
  readonly turns?: PoolTurns | undefined;
}

export interface WatchedPool {
  readonly pool: pg.Pool;
  readonly commits: CommitWatch;
  /** Callers that wait for a connection. */
  readonly waiting: () => number;
  /**
   * Closes all connections, each when it is free. After a failover the others lead to the same standby, and a
   * session keeps the settings of its start. Does nothing within seconds of the last time, unless `isOver`: the
   * database can be written again.
   */
  renew(isOver?: boolean): void;
}

/** Milliseconds; opening all connections again for each refused write would cost more than the writes. */
const renewalInterval = 5_000;

/** Connections of `size` that may change data at a time: the others are for statements that only read. */
export const writersOf = (size: number): number => Math.ceil((size * 3) / 4);

/** Milliseconds that statements have to end when the pool does. */
const endLimit = 2_000;

/**
 * A pool of watched connections; throws `DatabaseUnreachable` also when none is available in time. A connection
 * is not used again after an error that another one may not have, in a transaction, too.
 */
export function watchedPool({
  deadAfter,
  stuckAfter,
  turns,
  ...options
}: WatchedPoolOptions): WatchedPool {
  const { max, connectionTimeoutMillis, connectionString } = options;
  const open = openConnections(
    WatchedClient,
    deadAfter === null ? undefined : { connectionString, deadAfter },
  );
  const commits = commitWatch(stuckAfter);
  let renewedAt = Number.NEGATIVE_INFINITY;
  // not in the transaction whose statement was refused
  const outside = AsyncLocalStorage.snapshot();
  const renew = (isOver = false) => {
    if (!isOver && performance.now() - renewedAt < renewalInterval) return;
    renewedAt = performance.now();
    // given to callers that only close them; busy connections follow when they are released
    for (let count = pool.idleCount; count > 0; count -= 1) {
      outside(() => pool.connect((_error, _client, release) => release?.(true)));
    }
  };
  const pool = new pg.Pool({
    ...options,
    commits,
    Client: open.Client,
    onReadOnly: () => renew(),
  } as pg.PoolConfig);
  pool.on('release', (_error, released) => {
    const client = released as unknown as WatchedClient;
    // the pool does not keep a connection that ends
    if (client.isAtFault || client.createdAt < renewedAt) void client.end();
  });
  if (turns) shareConnections(pool, turns.all);
  const writers = turns?.writers ?? plainTurns(writersOf(max), connectionTimeoutMillis);
  limitWriters(pool, writers, commits);
  pool.connect = explaining(pool.connect, (error) =>
    error instanceof pg.DatabaseError ? error : new DatabaseUnreachable(error),
  );
  keepContext(pool);
  endInTime(pool, open);
  const waiting = () => pool.waitingCount + writers.waiting() + (turns?.all.waiting() ?? 0);
  return { pool, commits, waiting, renew };
}

/**
 * A caller that waited for a connection is called back by the one that returns it, but its statements
 * belong to its own asynchronous context.
 */
function keepContext(pool: pg.Pool): void {
  const connect = pool.connect as (callback?: Callback) => unknown;
  pool.connect = function connectInContext(this: pg.Pool, callback?: Callback): unknown {
    return Reflect.apply(connect, this, callback ? [AsyncResource.bind(callback)] : []);
  } as typeof pool.connect;
}

/** The end of the pool waits for its callers, and with a dead connection for ever. */
function endInTime(pool: pg.Pool, { destroyAll }: OpenConnections): void {
  const end = pool.end.bind(pool) as () => Promise<void>;
  pool.end = (async () => {
    const late = setTimeout(() => destroyAll('the pool has ended'), endLimit);
    await end().finally(() => clearTimeout(late));
  }) as typeof pool.end;
}
