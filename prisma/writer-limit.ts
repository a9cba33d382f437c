import { AsyncResource } from 'node:async_hooks';
import type pg from 'pg';
import type { CommitWatch } from './commit-watch.ts';
import type { ConnectionTurns } from './shared-pool.ts';

type Callback = (error: unknown, client?: pg.PoolClient, done?: unknown) => void;

const reading = /^(?:\s|--[^\n]*\n)*(?:SELECT|WITH)\b/i;
const changing = /\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\b/i;

/** Whether a statement outside of a transaction may wait for its commit. */
const isReading = (text: string): boolean => reading.test(text) && !changing.test(text);

type Leave = () => void;

/** Calls back with a refusal, or with what ends the turn of a writer. */
function admitWriter(
  turns: ConnectionTurns,
  commits: CommitWatch,
  callback: (refusal: unknown, leave?: Leave) => void,
): void {
  if (commits.isStuck() && !commits.mayTry()) {
    callback(stuck());
    return;
  }
  const leave = turns.tryEnter();
  if (leave) {
    callback(null, leave);
    return;
  }
  turns.enter().then((leave) => {
    if (!commits.isStuck()) {
      callback(null, leave);
      return;
    }
    // each that leaves lets the next one in, so that all who wait learn it at once
    leave();
    callback(stuck());
  }, callback);
}

/**
 * Leaves a part of the pool's connections to statements that only read. Every COMMIT waits while the disk of the
 * database is slow or its standby is missing; without a limit writers would soon hold all connections. While a COMMIT
 * has waited for long, one writer at a time tries whether they work again, and the others fail at once.
 */
export function limitWriters(pool: pg.Pool, turns: ConnectionTurns, commits: CommitWatch): void {
  const connect = pool.connect.bind(pool) as unknown as (callback: Callback) => void;
  /** Set while a statement that only reads asks for its connection. */
  let isReader = false;

  const connectWriter = (callback: Callback) => {
    const receive = (leave: Leave, error: unknown, client?: pg.PoolClient) => {
      if (error || !client) {
        leave();
        callback(error);
        return;
      }
      const { release } = client;
      client.release = (reason) => {
        leave();
        release(reason);
      };
      callback(null, client, client.release);
    };
    admitWriter(turns, commits, (refusal, leave) => {
      if (leave) connect((error, client) => receive(leave, error, client));
      else callback(refusal);
    });
  };
  pool.connect = ((callback?: Callback) => {
    if (isReader) return Reflect.apply(connect, pool, [callback]);
    if (callback) return connectWriter(AsyncResource.bind(callback));
    return new Promise<pg.PoolClient>((resolve, reject) => {
      connectWriter((error, client) => (client ? resolve(client) : reject(error)));
    });
  }) as typeof pool.connect;

  const query = pool.query as unknown as (...args: unknown[]) => unknown;
  pool.query = ((...args: unknown[]) => {
    const [statement] = args as [string | { readonly text: string }];
    isReader = isReading(typeof statement === 'string' ? statement : statement.text);
    try {
      // it asks for its connection before it returns
      const result = Reflect.apply(query, pool, args);
      if (!isReader && result instanceof Promise) result.then(commits.answered, () => undefined);
      return result;
    } finally {
      isReader = false;
    }
  }) as typeof pool.query;
}

const stuck = () => new Error('COMMIT gets no answer');
