import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openSession } from '../../prisma/client.ts';
import { freePort } from './free-port.ts';

export interface Pgbouncer {
  /** The URL of a database of the server behind it, by the direct URL of that database. */
  urlOf(databaseUrl: string): string;
  stop(): Promise<void>;
  /** Kills it as the OOM killer would. */
  kill(): Promise<void>;
  /** Sends a command to its console, such as `PAUSE`. */
  command(text: 'PAUSE' | 'RESUME' | 'RELOAD' | 'RECONNECT'): Promise<void>;
  /** Starts it on the same port after a stop. */
  startAgain(): Promise<Pgbouncer>;
}

/**
 * A real PgBouncer in transaction mode before the PostgreSQL at `databaseUrl`, which listens on a Unix
 * socket: it runs as the account that may use the socket. Configured as docs/scaling.md says.
 */
export async function startPgbouncer(databaseUrl: string, folder: string): Promise<Pgbouncer> {
  const { searchParams, username } = new URL(databaseUrl.replace('@/', '@socket/'));
  const socket = searchParams.get('host') ?? '';
  const { uid, gid } = await stat(socket);
  const port = await freePort();
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  await chown(folder, uid, gid);
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
* = host=${socket} port=${searchParams.get('port')} user=${username} connect_query='SET statement_timeout = 30000; SET idle_in_transaction_session_timeout = 30000'

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
admin_users = ${username}
pool_mode = transaction
default_pool_size = 10
max_client_conn = 2000
server_idle_timeout = 5
log_connections = 0
log_disconnections = 0
`,
  );
  return run(databaseUrl, { file, port, username, uid, gid });
}

interface Prepared {
  readonly file: string;
  readonly port: number;
  readonly username: string;
  readonly uid: number;
  readonly gid: number;
}

async function run(databaseUrl: string, prepared: Prepared): Promise<Pgbouncer> {
  const { file, port, username, uid, gid } = prepared;
  const child = spawn('/usr/sbin/pgbouncer', ['--quiet', file], { uid, gid, stdio: 'ignore' });
  const exit = once(child, 'exit');
  const urlAt = (name: string) =>
    `postgresql://${username}@127.0.0.1:${port}/${name}?sslmode=disable`;
  const urlOf = (url: string) => urlAt(/\/([^/?]+)(?:\?|$)/.exec(url)?.[1] ?? '');
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exit;
  };
  await untilAnswering(urlOf(databaseUrl), exit);
  return {
    urlOf,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    command: async (text) => {
      const session = await openSession(urlAt('pgbouncer'));
      await session.query(text).finally(() => session.end());
    },
    startAgain: () => run(databaseUrl, prepared),
  };
}

async function untilAnswering(url: string, exit: Promise<unknown>): Promise<void> {
  let hasExited = false;
  exit.then(() => {
    hasExited = true;
  });
  for (;;) {
    if (hasExited) throw new Error('PgBouncer exited');
    const session = await openSession(url).catch(() => null);
    if (session) return session.end();
    await delay(50);
  }
}
