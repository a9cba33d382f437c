import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { openSession } from './client.ts';
import type { Account } from './postgres-account.ts';
import { superuser } from './postgres-cluster.ts';
import { childOptions, ownFolder } from './postgres-program.ts';

export interface ServerPlace {
  readonly postgres: string;
  readonly cluster: string;
  readonly sockets: string;
  /** The title of its processes. */
  readonly name: string;
  readonly account: Account | null;
  /** The most connections at a time. */
  readonly connections: number;
}

export interface Server {
  /** Resolves with the reason after its exit; never rejects. */
  readonly ended: Promise<string>;
  signal(signal: NodeJS.Signals): void;
}

/** Crash recovery replays everything since the last checkpoint: minutes at worst. */
const startLimit = 300_000;

/** Stands for the error of a lost connection, which pg reports without a code. */
const connectionLost = '08006';

/** Errors after which to try again; when the server has exited, `untilReady` reports why. */
const stillStarting = new Set([
  ...['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'],
  ...['57P01', '57P02', '57P03', connectionLost],
]);
const noSuchDatabase = '3D000';

/** The server's responses to our own readiness checks. */
const echo = /^FATAL: {2}(the database system is starting up|database "\w+" does not exist)$/;

/** Starts PostgreSQL in its own process group, so that Ctrl-C reaches only Millrace. */
export function startServer(place: ServerPlace, log: (line: string) => void): Server {
  const child = spawn(place.postgres, settings(place), {
    ...childOptions(place.cluster, place.account),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines: string[] = [];
  if (child.stderr) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (echo.test(line)) return;
      lines.push(line);
      lines.splice(0, lines.length - 5);
      log(line);
    });
  }
  return { ended: endOf(child, lines), signal: (signal) => child.kill(signal) };
}

function endOf(child: ChildProcess, lines: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`PostgreSQL could not be started: ${error.message}`));
    // not `close`, which waits for the last child too
    child.once('exit', (code, signal) => {
      const how = signal ? `by ${signal}` : `with code ${code}`;
      setImmediate(() => resolve([`PostgreSQL ended ${how}`, ...lines].join('; ')));
    });
  });
}

function settings({ cluster, sockets, name, connections }: ServerPlace): readonly string[] {
  const values = {
    listen_addresses: '',
    unix_socket_directories: `"${sockets}"`,
    unix_socket_permissions: '0700',
    port: '5432',
    cluster_name: name,
    shared_buffers: '128MB',
    max_connections: String(connections),
    jit: 'off',
    // statement errors reach their callers; log only messages about the server
    log_min_messages: 'log',
    log_checkpoints: 'off',
    log_line_prefix: '',
    logging_collector: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
  };
  const given = Object.entries(values).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  return ['-D', ownFolder(cluster), ...given];
}

/** The URL of the server that listens in `sockets`; PG* variables do not affect it. */
export function urlOf(sockets: string, database: string): string {
  const query = new URLSearchParams({ host: sockets, port: '5432', sslmode: 'disable' });
  return `postgresql://${superuser}@/${database}?${query}`;
}

/** Waits until the database is ready and creates it at the first start; false on a timeout. */
export async function isReady(sockets: string, database: string, signal: AbortSignal) {
  for (const end = Date.now() + startLimit; Date.now() < end && !signal.aborted; ) {
    const code = await attempt(urlOf(sockets, database));
    if (code === null) return true;
    if (code === noSuchDatabase) {
      await attempt(urlOf(sockets, 'postgres'), `CREATE DATABASE ${database}`);
    } else if (stillStarting.has(code)) {
      await delay(20);
    } else {
      throw new Error(`PostgreSQL answers with error ${code}`);
    }
  }
  return false;
}

/** Runs `sql`; returns null, or the error code. */
async function attempt(url: string, sql = 'SELECT 1'): Promise<string | null> {
  try {
    const session = await openSession(url);
    await session.query(sql).finally(() => session.end());
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? connectionLost;
  }
}
