import { AsyncResource } from 'node:async_hooks';
import pg from 'pg';
import { type CommitWatch, commitWatch } from './commit-watch.ts';
import { type OpenConnections, openConnections } from './dead-connections.ts';
import {
  DatabaseUnreachable,
  explaining,
  WatchedClient,
  type WatchedClientOptions,
} from './watched-client.ts';
import { limitWriters } from './writer-limit.ts';

export interface WatchedPoolOptions extends pg.PoolConfig, WatchedClientOptions {
  readonly max: number;
  /** Milliseconds that a caller may wait for a connection. */
  readonly connectionTimeoutMillis: number;
  /** Milliseconds without an answer after which a connection may be dead; null behind a pooler, which hides it. */
  readonly deadAfter: number | null;
  /** Milliseconds after which a COMMIT without an answer means that none gets one. */
  readonly stuckAfter: number;
}

export interface WatchedPool {
  readonly pool: pg.Pool;
  readonly commits: CommitWatch;
  /** Callers that wait for a connection. */
  readonly waiting: () => number;
}

/** A quarter of the connections is for statements that only read. */
const writingPart = 3 / 4;

/** Milliseconds that statements have to end when the pool does. */
const endLimit = 2_000;

/** A pool of such connections; throws `DatabaseUnreachable` also when none is available in time. */
export function watchedPool({
  deadAfter,
  stuckAfter,
  ...options
}: WatchedPoolOptions): WatchedPool {
  const { max, connectionTimeoutMillis, connectionString } = options;
  const open = openConnections(
    WatchedClient,
    deadAfter === null ? undefined : { connectionString, deadAfter },
  );
  const commits = commitWatch(stuckAfter);
  const pool = new pg.Pool({ ...options, commits, Client: open.Client } as pg.PoolConfig);
  const most = Math.ceil(max * writingPart);
  const writers = limitWriters(pool, { most, waitLimit: connectionTimeoutMillis, commits });
  pool.connect = explaining(pool.connect, (error) =>
    error instanceof pg.DatabaseError ? error : new DatabaseUnreachable(error),
  );
  keepContext(pool);
  endInTime(pool, open);
  return { pool, commits, waiting: () => pool.waitingCount + writers.waiting() };
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

type Callback = (error: unknown, ...rest: unknown[]) => unknown;
