import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import pg from 'pg';
import {
  type Callback,
  DatabaseUnreachable,
  explaining,
  WatchedClient,
  type WatchedClientOptions,
} from './watched-client.ts';

/** Milliseconds; opening all connections again for each refused write would cost more than the writes. */
const renewalInterval = 5_000;

export interface WatchedPool {
  readonly pool: pg.Pool;
  /**
   * Closes all connections, each when it is free. After a failover the others lead to the same standby, and a
   * session keeps the settings of its start. Does nothing within seconds of the last time, unless `isOver`: the
   * database can be written again.
   */
  renew(isOver?: boolean): void;
}

/**
 * A pool of watched connections; throws `DatabaseUnreachable` also when none is available in time. A connection
 * is not used again after an error that another one may not have, in a transaction, too.
 */
export function watchedPool(options: pg.PoolConfig & WatchedClientOptions): WatchedPool {
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
    Client: WatchedClient,
    onReadOnly: () => renew(),
  } as pg.PoolConfig);
  pool.on('release', (_error, released) => {
    const client = released as unknown as WatchedClient;
    // the pool does not keep a connection that ends
    if (client.isAtFault || client.createdAt < renewedAt) void client.end();
  });
  pool.connect = explaining(pool.connect, (error) =>
    error instanceof pg.DatabaseError ? error : new DatabaseUnreachable(error),
  );
  keepContext(pool);
  return { pool, renew };
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
