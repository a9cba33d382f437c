import type pg from 'pg';
import { ClosingClient } from './closing-client.ts';
import type { WatchedClient, WatchedClientOptions } from './watched-client.ts';

/** The open connections of a pool. */
export interface OpenConnections {
  /** The class that the pool opens; each connection is known here from its start to its end. */
  readonly Client: typeof WatchedClient;
  /** Closes all of them: their statements fail. */
  destroyAll(reason: string): void;
}

interface WatchOptions extends pg.ClientConfig {
  /** Milliseconds without an answer after which the server is asked whether it still has the statement. */
  readonly deadAfter: number;
}

/** Number of looks within that time. */
const looks = 3;

/** Milliseconds that the question may take. */
const questionLimit = 3_000;

/** Follows the connections that a pool opens with the class. */
export function openConnections(Base: typeof WatchedClient, watch?: WatchOptions): OpenConnections {
  const clients = new Set<WatchedClient>();
  let stopWatching: (() => void) | null = null;
  class Client extends Base {
    constructor(options?: WatchedClientOptions) {
      super(options);
      clients.add(this);
      if (watch) stopWatching ??= watchFor(clients, watch);
      this.once('end', () => {
        clients.delete(this);
        if (clients.size > 0) return;
        stopWatching?.();
        stopWatching = null;
      });
    }
  }
  return {
    Client,
    destroyAll: (reason) => {
      for (const client of clients) client.destroy(new Error(reason));
    },
  };
}

/**
 * A connection that a network drops without notice looks like one with a slow statement. The server knows the
 * difference: it has no statement for a connection that waits for an answer. Two looks must agree, as an answer may
 * be on its way. Idle connections that are no younger are closed, too: they would fail the next callers.
 */
function watchFor(clients: ReadonlySet<WatchedClient>, { deadAfter, ...config }: WatchOptions) {
  let suspects = new Map<WatchedClient, number>();
  let isLooking = false;

  const look = async () => {
    const waiting = new Map<WatchedClient, number>();
    for (const client of clients) {
      const { pendingSince } = client;
      if (pendingSince !== null && performance.now() - pendingSince > deadAfter)
        waiting.set(client, pendingSince);
    }
    if (waiting.size === 0) {
      suspects.clear();
      return;
    }
    const running = await runningBackends(config, [...waiting.keys()]);
    const idle = [...waiting].filter(
      ([client, since]) => client.pendingSince === since && !running.has(client.backend),
    );
    const dead = idle.filter(([client, since]) => suspects.get(client) === since);
    suspects = new Map(idle);
    for (const [client, since] of dead) {
      client.destroy(new Error('the connection is dead: the server has no statement of it'));
      for (const other of clients)
        if (other.pendingSince === null && other.heardAt < since && isIdle(other))
          other.destroy(new Error('the connection is as old as a dead one'));
    }
  };

  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    // an unreachable server is noticed by the limits of the statements
    const done = () => {
      isLooking = false;
    };
    look().then(done, done);
  }, deadAfter / looks).unref();
  return () => clearInterval(timer);
}

/** A transaction may do other work between its statements. */
const isIdle = (client: WatchedClient): boolean => client.getTransactionStatus() === 'I';

/**
 * The processes of the server, among those of `clients`, that execute a statement. All of them if the question itself
 * is not among the statements: behind a pooler connections have other numbers than processes.
 */
async function runningBackends(
  config: pg.ClientConfig,
  clients: readonly WatchedClient[],
): Promise<ReadonlySet<number | null>> {
  const session = new ClosingClient({
    ...config,
    connectionTimeoutMillis: questionLimit,
    query_timeout: questionLimit,
  });
  session.on('error', () => {});
  try {
    await session.connect();
    const asked = [session.backend, ...clients.map(({ backend }) => backend)];
    const { rows } = await session.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE pid = ANY($1) AND state NOT LIKE 'idle%'`,
      [asked],
    );
    const running = new Set(rows.map(({ pid }) => pid));
    return running.has(session.backend ?? 0) ? running : new Set(asked);
  } finally {
    await session.end();
  }
}
