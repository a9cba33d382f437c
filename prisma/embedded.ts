import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { platform } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { type Account, canReach, chooseAccount } from './postgres-account.ts';
import { findBinaries } from './postgres-binaries.ts';
import { ensureCluster } from './postgres-cluster.ts';
import { type Lock, takeLock } from './postgres-lock.ts';
import { clusterName, stopOrphans } from './postgres-processes.ts';
import { isReady, type Server, startServer, urlOf } from './postgres-server.ts';

export interface EmbeddedOptions {
  /** Ours alone: data and lock. Made when absent. */
  readonly folder: string;
  /** Told each line that PostgreSQL writes. */
  readonly log: (line: string) => void;
}

export interface EmbeddedDatabase {
  readonly url: string;
  /** Ends PostgreSQL, which undoes what is not committed; may be called more than once. */
  stop(): Promise<void>;
  /** Tells `listener` why, should PostgreSQL end before `stop` asks for it. */
  onExit(listener: (reason: string) => void): void;
}

const database = 'millrace';
const socketPrefix = 'millrace-';

/** A fast shutdown writes what is in memory; after this it is cut short, and recovered at the next start. */
const stopLimit = 30_000;

/** Longer paths do not fit into the address of a Unix socket, whose name here is 15 bytes. */
const longestFolder = 107 - '/.s.PGSQL.5432'.length;

/**
 * Starts the PostgreSQL that Millrace brings along, on the data in `folder`, reachable over a Unix
 * socket only. Refuses when another Millrace is at it; what a killed one left is cleared away.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  if (platform === 'win32') {
    throw new Error('On Windows Millrace needs a PostgreSQL of your own: set DATABASE_URL.');
  }
  const folder = resolve(options.folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = takeLock(folder);
  try {
    return await startLocked(folder, lock, options.log);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function startLocked(
  folder: string,
  lock: Lock,
  log: EmbeddedOptions['log'],
): Promise<EmbeddedDatabase> {
  const cluster = join(folder, 'cluster');
  const account = await chooseAccount(cluster);
  const { initdb, postgres } = await findBinaries(folder, account);
  await ensureCluster(folder, cluster, initdb, account);
  const name = await clusterName(cluster);
  if (await stopOrphans(name)) log('stopped the PostgreSQL of a Millrace that was killed');
  // nothing serves this data any more, whoever may have the pid in this file by now
  await rm(join(cluster, 'postmaster.pid'), { force: true });
  await clearSockets(lock.killed?.sockets);

  const sockets = await makeSocketFolder(account);
  lock.record(sockets);
  const server = startServer({ postgres, cluster, sockets, name, account }, log);
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= stopServer(server)
      .then(() => rm(sockets, { recursive: true, force: true }))
      .finally(() => lock.release());
    return stopping;
  };
  try {
    await untilReady(server, sockets);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: urlOf(sockets, database),
    stop,
    onExit(listener) {
      server.ended.then((reason) => {
        if (!stopping) listener(reason);
      });
    },
  };
}

/** A folder that only the account (and root) can enter, which is what guards the database. */
async function makeSocketFolder(account: Account | null): Promise<string> {
  for (const home of [tmpdir(), '/tmp', '/var/tmp', '/run']) {
    if (account && !(await canReach(home, account).catch(() => false))) continue;
    const folder = await mkdtemp(join(home, socketPrefix)).catch(() => null);
    if (!folder) continue;
    if (Buffer.byteLength(folder) <= longestFolder) {
      if (account) await chown(folder, account.uid, account.gid);
      return folder;
    }
    await rm(folder, { recursive: true });
  }
  throw new Error('No temporary folder has room for a socket: set TMPDIR to a short path.');
}

async function clearSockets(folder: string | null | undefined): Promise<void> {
  if (!folder || !basename(folder).startsWith(socketPrefix)) return;
  await rm(folder, { recursive: true, force: true });
}

async function untilReady(server: Server, sockets: string): Promise<void> {
  const giveUp = new AbortController();
  const ended = server.ended.then((reason) => {
    throw new Error(reason);
  });
  try {
    const ready = await Promise.race([isReady(sockets, database, giveUp.signal), ended]);
    if (!ready) throw new Error('PostgreSQL did not become ready in time.');
  } finally {
    giveUp.abort();
    ended.catch(() => {});
  }
}

async function stopServer(server: Server): Promise<void> {
  server.signal('SIGINT');
  const patience = new AbortController();
  const isLate = delay(stopLimit, true, { signal: patience.signal }).catch(() => false);
  const ended = server.ended.then(() => false);
  if (await Promise.race([ended, isLate])) server.signal('SIGQUIT');
  await ended;
  patience.abort();
}
