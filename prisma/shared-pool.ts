import { AsyncResource } from 'node:async_hooks';
import type pg from 'pg';

/** Decides whose statement or transaction gets a connection, before it asks the pool for one. */
export interface ConnectionTurns {
  /** Gives what ends the turn, or null if it has to wait. */
  readonly tryEnter: () => (() => void) | null;
  /** Waits for a turn; throws if it takes too long. */
  readonly enter: () => Promise<() => void>;
  readonly waiting: () => number;
}

type Done = (error?: unknown) => void;
type Connected = (error: unknown, client?: pg.PoolClient, done?: Done) => void;

/** Makes the callers of a pool take turns. A turn lasts until the connection is returned. */
export function shareConnections(pool: pg.Pool, turns: ConnectionTurns): void {
  const connect = pool.connect.bind(pool) as (callback: Connected) => void;

  const connectInTurn = (callback: Connected): void => {
    const onTurn = (leave: () => void) => {
      connect((error, client) => {
        if (!client) {
          leave();
          callback(error);
          return;
        }
        const release = client.release.bind(client);
        // the pool replaces it each time
        client.release = (reason) => {
          release(reason);
          leave();
        };
        callback(error, client, client.release as Done);
      });
    };
    const leave = turns.tryEnter();
    if (leave) onTurn(leave);
    // called back by the one that ends its turn, in the context of its own
    else turns.enter().then(AsyncResource.bind(onTurn), AsyncResource.bind(callback));
  };

  pool.connect = ((callback?: Connected) => {
    if (callback) return connectInTurn(callback);
    return new Promise((resolve, reject) => {
      connectInTurn((error, client) => (client ? resolve(client) : reject(error)));
    });
  }) as typeof pool.connect;
}

/** Turns in the order of the callers, `places` at a time; a caller waits at most `waitLimit` milliseconds. */
export function plainTurns(places: number, waitLimit: number): ConnectionTurns {
  const waiting = new Set<() => void>();
  let running = 0;
  const leave = () => {
    running -= 1;
    const [next] = waiting;
    next?.();
  };
  const tryEnter = () => {
    if (running >= places) return null;
    running += 1;
    return leave;
  };
  return {
    tryEnter,
    enter: () =>
      new Promise((resolve, reject) => {
        const end = () => {
          clearTimeout(late);
          waiting.delete(next);
        };
        const next = () => {
          end();
          running += 1;
          resolve(leave);
        };
        const late = setTimeout(() => {
          end();
          reject(new Error('too many statements wait for a connection'));
        }, waitLimit);
        waiting.add(next);
      }),
    waiting: () => waiting.size,
  };
}
