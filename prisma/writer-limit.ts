import { AsyncResource } from 'node:async_hooks';
import type pg from 'pg';
import type { CommitWatch } from './commit-watch.ts';

type Callback = (error: unknown, client?: pg.PoolClient, done?: unknown) => void;

interface WriterLimits {
  /** Connections that may change data at a time. */
  readonly most: number;
  /** Milliseconds that a writer may wait. */
  readonly waitLimit: number;
  readonly commits: CommitWatch;
}

export interface WaitingWriters {
  /** Writers that wait. */
  readonly waiting: () => number;
}

const reading = /^(?:\s|--[^\n]*\n)*(?:SELECT|WITH)\b/i;
const changing = /\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\b/i;

/** Whether a statement outside of a transaction may wait for its commit. */
const isReading = (text: string): boolean => reading.test(text) && !changing.test(text);

/** Admits writers: `enter` calls back with a refusal, or without one, and then the caller has to leave. */
function writerGate({ most, waitLimit, commits }: WriterLimits) {
  const waiting: ((refusal?: Error) => void)[] = [];
  let running = 0;
  return {
    waiting: () => waiting.length,
    enter: (callback: (refusal?: Error) => void): void => {
      if (commits.isStuck() && !commits.mayTry()) {
        callback(stuck());
      } else if (running < most) {
        running += 1;
        callback();
      } else {
        const settle = (refusal?: Error) => {
          clearTimeout(late);
          if (!refusal) running += 1;
          callback(refusal);
        };
        const late = setTimeout(() => {
          waiting.splice(waiting.indexOf(settle), 1);
          settle(new Error('too many statements wait to change data'));
        }, waitLimit);
        waiting.push(settle);
      }
    },
    leave: (): void => {
      running -= 1;
      if (!commits.isStuck()) waiting.shift()?.();
      else for (const settle of waiting.splice(0)) settle(stuck());
    },
  };
}

/**
 * Leaves a part of the pool's connections to statements that only read. Every COMMIT waits while the disk of the
 * database is slow or its standby is missing; without a limit writers would soon hold all connections. While a COMMIT
 * has waited for long, one writer at a time tries whether they work again, and the others fail at once.
 */
export function limitWriters(pool: pg.Pool, limits: WriterLimits): WaitingWriters {
  const { enter, leave, waiting } = writerGate(limits);
  const connect = pool.connect as unknown as (callback: Callback) => void;
  /** Set while a statement that only reads asks for its connection. */
  let isReader = false;

  const connectWriter = (callback: Callback) => {
    const receive: Callback = (error, client) => {
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
    enter((refusal) => (refusal ? callback(refusal) : Reflect.apply(connect, pool, [receive])));
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
      if (!isReader && result instanceof Promise)
        result.then(limits.commits.answered, () => undefined);
      return result;
    } finally {
      isReader = false;
    }
  }) as typeof pool.query;
  return { waiting };
}

const stuck = () => new Error('COMMIT gets no answer');
