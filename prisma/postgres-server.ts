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
  /** What its processes are called in the process table. */
  readonly name: string;
  readonly account: Account | null;
}

export interface Server {
  /** Resolves with the reason when it has ended; never rejects. */
  readonly ended: Promise<string>;
  signal(signal: NodeJS.Signals): void;
}

/** Crash recovery replays what was written since the last checkpoint: minutes at the worst. */
const startLimit = 300_000;

const stillStarting = new Set(['ENOENT', 'ECONNREFUSED', '57P03']);
const noSuchDatabase = '3D000';

/** What the server says to our own asking whether it is ready. */
const echo = /^FATAL: {2}(the database system is starting up|database "\w+" does not exist)$/;

/** Starts PostgreSQL in a process group of its own, so that Ctrl-C is for us to pass on. */
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
    // not `close`: it comes only when the last child has ended too
    child.once('exit', (code, signal) => {
      const how = signal ? `by ${signal}` : `with code ${code}`;
      setImmediate(() => resolve([`PostgreSQL ended ${how}`, ...lines].join('; ')));
    });
  });
}

function settings({ cluster, sockets, name }: ServerPlace): readonly string[] {
  const values = {
    listen_addresses: '',
    unix_socket_directories: `"${sockets}"`,
    unix_socket_permissions: '0700',
    port: '5432',
    cluster_name: name,
    shared_buffers: '128MB',
    max_connections: '100',
    jit: 'off',
    // errors of statements reach the one who sent them; here belongs what concerns the server
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

/** Where the server that listens in `sockets` is reached; no PG* variable can bend it. */
export function urlOf(sockets: string, database: string): string {
  const query = new URLSearchParams({ host: sockets, port: '5432', sslmode: 'disable' });
  return `postgresql://${superuser}@/${database}?${query}`;
}

/** Waits until our database can be used and makes it at the first start; false when time is up. */
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

/** Runs `sql` and gives null, or the code of the error that came of it. */
async function attempt(url: string, sql = 'SELECT 1'): Promise<string | null> {
  try {
    const session = await openSession(url);
    await session.query(sql).finally(() => session.end());
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code;
  }
}
